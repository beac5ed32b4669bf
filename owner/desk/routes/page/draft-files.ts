import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'

export type FileKind = 'script' | 'guide' | 'sharePicture' | 'chart' | 'icon'

/** A file of the draft, without what is in it. */
export interface DraftFile {
  kind: FileKind
  /** As it is called on the owner's device. */
  name: string
  mediaType: string
  /** In bytes. Null: ours again, in the place of the published one. */
  size: number | null
  /** ms since 1970. */
  changedAt: number
}

interface Row {
  kind: FileKind
  name: string
  media_type: string
  size: number
  is_ours: number
  changed_at: number
}

export async function readDraftFiles(reader: Reader): Promise<DraftFile[]> {
  const rows = await reader.rows<Row>(sql`
    select kind, name, media_type, size, changed_at, case when bytes is null then 1 else 0 end as is_ours
    from page_draft_files`)
  return rows.map(({ kind, name, media_type: mediaType, size, is_ours: isOurs, ...row }) => ({
    kind,
    name,
    mediaType,
    size: isOurs === 1 ? null : size,
    changedAt: row.changed_at,
  }))
}
