import { hash } from 'node:crypto'
import sql, { join } from 'sql-template-tag'
import type { Database, Reader, Transaction } from '../../database/database.ts'

/** The most bytes of one part. A transaction with it takes a few milliseconds. */
const partBytes = 384 * 1024
/** A file is stored before the version that uses it. Storing may also break off. */
const keptUnusedMs = 3_600_000

/** Stores a file in pieces, each in a transaction of its own, and returns its hash. */
export async function storeFile(
  database: Database,
  bytes: Uint8Array,
  now: number,
): Promise<string> {
  const name = hash('sha256', bytes, 'base64url')
  const stored = await database.row<{ size: number }>(
    sql`select size from content_files where hash = ${name}`,
  )
  await database.transaction((transaction) =>
    transaction.run(sql`
      insert into content_files (hash, size, stored_at) values (${name}, ${bytes.length}, ${now})
      on conflict (hash) do update set stored_at = excluded.stored_at`),
  )
  // The row alone does not tell that all parts are there: an earlier call may have broken off.
  if (stored && (await isWhole(database, name))) return name
  for (let part = 0; part * partBytes < bytes.length; part += 1) {
    const piece = Buffer.from(bytes.subarray(part * partBytes, (part + 1) * partBytes))
    await database.transaction((transaction) =>
      transaction.run(sql`
        insert into content_file_parts (hash, part, bytes)
        values (${name}, ${part}, ${piece.toString('base64')}) on conflict do nothing`),
    )
  }
  return name
}

/** The bytes of a file. Throws if a part of it is missing. */
export async function readFile(reader: Reader, name: string): Promise<Buffer> {
  const rows = await reader.rows<{ bytes: string }>(
    sql`select bytes from content_file_parts where hash = ${name} order by part`,
  )
  const bytes = Buffer.concat(rows.map((row) => Buffer.from(row.bytes, 'base64')))
  if (hash('sha256', bytes, 'base64url') !== name) throw new Error('A stored file is not whole')
  return bytes
}

/** Deletes the files that are not in `used` and that were not stored lately. */
export async function dropUnusedFiles(
  transaction: Transaction,
  used: readonly string[],
  now: number,
): Promise<void> {
  const kept = used.length > 0 ? join(used) : sql`''` // SQL has no empty list
  const old = now - keptUnusedMs
  await transaction.run(sql`
    delete from content_file_parts where hash in (
      select hash from content_files where stored_at < ${old} and hash not in (${kept}))`)
  await transaction.run(
    sql`delete from content_files where stored_at < ${old} and hash not in (${kept})`,
  )
}

async function isWhole(reader: Reader, name: string): Promise<boolean> {
  return readFile(reader, name).then(
    () => true,
    () => false,
  )
}
