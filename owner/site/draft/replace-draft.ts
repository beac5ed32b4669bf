import sql from 'sql-template-tag'
import type { FileKind } from '#site/source.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { putText } from './draft.ts'
import { isKnownText, isSame, textAt } from './draft-difference.ts'
import { putDraftFile } from './draft-files.ts'
import { describeDraft, type DraftedPage, readDraftedPage } from './drafted-page.ts'
import type { WholeDraft } from './kept-drafts.ts'

/** The oldest beyond them are deleted. */
const maxKeptDrafts = 50

interface Replacement {
  /** For the audit. */
  action: string
  /** ms since 1970. */
  now: number
}

/** Makes a page the draft. The draft before it is kept. */
export function replaceDraft(
  database: Database,
  wanted: WholeDraft,
  { action, now }: Replacement,
): Promise<void> {
  return database.transaction(async (transaction) => {
    await transaction.lock('page-draft')
    const page = await readDraftedPage(transaction)
    await keepDraft(transaction, page, now)
    await transaction.run(sql`delete from page_draft`)
    await transaction.run(sql`delete from page_draft_files`)
    await writeTexts(transaction, page, wanted, now)
    await writeFiles(transaction, page, wanted, now)
    await recordActionIn(transaction, { at: now, action, about: '' })
  })
}

/** A draft without a change is not kept. */
async function keepDraft(transaction: Transaction, page: DraftedPage, now: number): Promise<void> {
  if (page.draft.length === 0 && page.draftFiles.length === 0) return
  const whole: WholeDraft = { texts: page.texts, files: page.files }
  await transaction.run(sql`
    insert into page_kept_drafts (kept_at, about, content)
    values (${now}, ${describeDraft(page)}, ${JSON.stringify(whole)})`)
  await transaction.run(sql`
    delete from page_kept_drafts where id not in (
      select id from page_kept_drafts order by id desc limit ${maxKeptDrafts})`)
}

async function writeTexts(
  transaction: Transaction,
  { publishedTexts }: DraftedPage,
  { texts }: WholeDraft,
  now: number,
): Promise<void> {
  for (const path of Object.keys({ ...publishedTexts, ...texts })) {
    const value = textAt(texts, path)
    if (!isKnownText(path) || isSame(value, textAt(publishedTexts, path))) continue
    await putText(transaction, { path, value, now, writer: 'desk' })
  }
}

async function writeFiles(
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
