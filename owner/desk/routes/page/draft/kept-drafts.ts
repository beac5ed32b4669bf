import sql from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { Texts } from './draft-difference.ts'
import { describeDraft, type DraftedPage, type StoredFiles } from './drafted-page.ts'

/** Earlier ones are deleted. */
const keptDrafts = 50

/** A page as it would be published: all that differs from the defaults. */
export interface WholeDraft {
  texts: Texts
  files: StoredFiles
}

/** A draft that another one took the place of. */
export interface KeptDraft extends WholeDraft {
  id: number
  /** ms since 1970. */
  keptAt: number
  /** The names of what it changed. */
  about: string
}

interface Row {
  id: number
  kept_at: number
  about: string
  content: string
}

/** The newest first. */
export async function listKeptDrafts(reader: Reader): Promise<KeptDraft[]> {
  const rows = await reader.rows<Row>(sql`select * from page_kept_drafts order by id desc`)
  return rows.map(({ id, kept_at: keptAt, about, content }) => {
    const whole: WholeDraft = JSON.parse(content)
    return { id, keptAt, about, ...whole }
  })
}

/** A draft without a change is not kept. */
export async function keepDraft(
  transaction: Transaction,
  page: DraftedPage,
  now: number,
): Promise<void> {
  if (page.draft.length === 0 && page.draftFiles.length === 0) return
  const whole: WholeDraft = { texts: page.texts, files: page.files }
  await transaction.run(sql`
    insert into page_kept_drafts (kept_at, about, content)
    values (${now}, ${describeDraft(page)}, ${JSON.stringify(whole)})`)
  await transaction.run(sql`
    delete from page_kept_drafts where id not in (
      select id from page_kept_drafts order by id desc limit ${keptDrafts})`)
}
