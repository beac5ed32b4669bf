import sql from 'sql-template-tag'
import type { FileKind } from '#renderer/source.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { putText } from './draft.ts'
import { isKnownText, isSameText, textAt } from './draft-difference.ts'
import { putDraftFile } from './draft-files.ts'
import { type DraftedPage, readDraftedPage } from './drafted-page.ts'
import { keepDraft, type WholeDraft } from './kept-drafts.ts'

/** Makes a page the draft. The draft before it is kept. */
export function replaceDraft(database: Database, wanted: WholeDraft, now: number): Promise<void> {
  return database.transaction(async (transaction) => {
    await transaction.lock('page-draft')
    const page = await readDraftedPage(transaction)
    await keepDraft(transaction, page, now)
    await transaction.run(sql`delete from page_draft`)
    await transaction.run(sql`delete from page_draft_files`)
    await draftTexts(transaction, page, wanted, now)
    await draftFiles(transaction, page, wanted, now)
  })
}

async function draftTexts(
  transaction: Transaction,
  { publishedTexts }: DraftedPage,
  { texts }: WholeDraft,
  now: number,
): Promise<void> {
  for (const path of Object.keys({ ...publishedTexts, ...texts })) {
    const value = textAt(texts, path)
    if (!isKnownText(path) || isSameText(value, textAt(publishedTexts, path))) continue
    await putText(transaction, { path, value, now, writer: 'desk' })
  }
}

async function draftFiles(
  transaction: Transaction,
  { published }: DraftedPage,
  { files }: WholeDraft,
  now: number,
): Promise<void> {
  const before = published?.files ?? {}
  for (const kind of Object.keys({ ...before, ...files }) as FileKind[]) {
    const file = files[kind] ?? null
    if (file?.hash === before[kind]?.hash) continue
    await putDraftFile(transaction, { kind, file, changedAt: now })
  }
}
