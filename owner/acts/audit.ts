import sql from 'sql-template-tag'
import type { Database, Reader, Transaction } from '#server/database/database.ts'

export interface AuditEntry {
  /** ms since 1970. */
  at: number
  /** The act in the words that the owner reads, such as `Erased a person`. */
  action: string
  /** Numbers of people, mails, letters or jobs, or the campaign of an import. Empty: nothing. */
  about: string
}

const shownEntries = 20

/** Writes an entry in a transaction of its own, for an act that stores nothing else. */
export function recordAction(database: Database, entry: AuditEntry): Promise<void> {
  return database.transaction((transaction) => recordActionIn(transaction, entry))
}

/**
 * Writes an entry with the act itself. `about` is stored only if it looks like numbers or a name:
 * without @ and white space, so that no address gets into it.
 */
export async function recordActionIn(
  transaction: Transaction,
  { at, action, about }: AuditEntry,
): Promise<void> {
  const kept = /^[\w.,-]{1,2000}$/.test(about) ? about : ''
  await transaction.run(
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
