import sql from 'sql-template-tag'
import type { FileKind } from '#site/source.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import type { StoredFile } from '#server/site/versions.ts'

/** A file that the draft changes. */
export interface DraftFile {
  kind: FileKind
  /** Null: ours, in the place of the published one. */
  file: StoredFile | null
  /** ms since 1970. */
  changedAt: number
}

interface Row {
  kind: FileKind
  name: string
  media_type: string
  hash: string | null
  size: number
  changed_at: number
}

export async function readDraftFiles(reader: Reader): Promise<DraftFile[]> {
  const rows = await reader.rows<Row>(
    sql`select kind, name, media_type, hash, size, changed_at from page_draft_files`,
  )
  return rows.map(({ kind, name, media_type: mediaType, hash, size, changed_at: changedAt }) => ({
    kind,
    file: hash === null ? null : { hash, name, mediaType, size },
    changedAt,
  }))
}

export async function putDraftFile(transaction: Transaction, drafted: DraftFile): Promise<void> {
  const { kind, file, changedAt } = drafted
  const { name, mediaType, size } = file ?? { name: '', mediaType: '', size: 0 }
  await transaction.run(sql`
    insert into page_draft_files (kind, name, media_type, hash, size, changed_at)
    values (${kind}, ${name}, ${mediaType}, ${file?.hash ?? null}, ${size}, ${changedAt})
    on conflict (kind) do update set name = excluded.name, media_type = excluded.media_type,
      hash = excluded.hash, size = excluded.size, changed_at = excluded.changed_at`)
}

/** Forgets a file of the draft: what is published stays. */
export async function dropDraftFile(database: Database, kind: FileKind): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(sql`delete from page_draft_files where kind = ${kind}`),
  )
}
