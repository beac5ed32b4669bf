import { sql } from 'kysely'
import { type Connection, isPostgres, jsonRows } from './json-rows.ts'

const lockNumbers = { 'abuse key': 1, 'site ceiling': 2 }
/** So many locks at most, however many names and instances there are: PostgreSQL keeps them in memory of a fixed size. */
const turns = 4096

/**
 * From here to the end of the transaction nobody else counts under one of these names: what is counted is still true when
 * the row that follows from it is written. In one order, so that nobody waits in a circle. SQLite has one writer anyway.
 */
export async function takeTurns(
  connection: Connection,
  kind: keyof typeof lockNumbers,
  names: readonly string[],
): Promise<void> {
  if (!isPostgres(connection)) return
  const rows = jsonRows(
    connection,
    names.map((name) => ({ name })),
    { name: 'text' },
  )
  await sql`
    select pg_advisory_xact_lock(${lockNumbers[kind]}, turn)
    from (select distinct hashtext(name) & ${turns - 1} as turn from ${rows} as named order by turn) as ordered`.execute(
    connection,
  )
}
