import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import type { Texts } from './draft-difference.ts'
import type { StoredFiles } from './drafted-page.ts'

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
