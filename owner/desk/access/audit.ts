import sql from 'sql-template-tag'
import type { Database, Reader } from '#server/database/database.ts'
import { write } from './secrets.ts'

export interface AuditEntry {
  /** ms since 1970. */
  at: number
  /** In the words that the owner reads, such as `Erased person`. */
  action: string
  /** The number of a person or a mail, or an announcement's name. Empty: nothing in particular. */
  about: string
}

const shownEntries = 20

/**
 * Writes an entry. `about` is stored only if it has no @, space or capital, so no address or
 * passkey gets into it.
 */
export async function recordAction(
  database: Database,
  { at, action, about }: AuditEntry,
): Promise<void> {
  const kept = /^[a-z\d.,-]{1,2000}$/.test(about) ? about : ''
  await write(
    database,
    sql`insert into desk_audit (at, act, about) values (${at}, ${action}, ${kept})`,
  )
}

/** The newest first. `person`: only what the owner did to this one. */
export function readAudit(reader: Reader, person?: number): Promise<AuditEntry[]> {
  const chosen =
    person === undefined ? sql`1 = 1` : sql`about = ${String(person)} and act like '%person'`
  return reader.rows<AuditEntry>(sql`
    select at, act as action, about from desk_audit where ${chosen}
    order by id desc limit ${shownEntries}`)
}
