import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runOnPostgres } from '#rigs/database/postgres-server.ts'
import { eventually } from '#rigs/eventually.ts'

export interface DeliveryRecord {
  messageId: string
  state: string
  address: string
  subscriberState: string
}

/** The mail has not been sent yet, nor has it failed. */
export function isPending({ state }: DeliveryRecord): boolean {
  return state === 'queued' || state === 'sending'
}

/** In the order in which they are due. */
export async function readDeliveries(database: string): Promise<DeliveryRecord[]> {
  const rows = await rowsIn(
    database,
    `select d.message_id as "messageId", d.state, s.address, s.state as "subscriberState"
     from deliveries d join subscribers s on s.id = d.subscriber order by d.due_at, d.id`,
  )
  return rows as unknown as DeliveryRecord[] // as the query names them
}

export async function untilNothingIsPending(database: string, withinMs = 60_000): Promise<void> {
  const pending = `select 1 from deliveries where state in ('queued', 'sending') limit 1`
  await eventually(
    'no mail is pending',
    async () => (await rowsIn(database, pending)).length === 0,
    withinMs,
  )
}

/**
 * Reads the files as a crash left them from a copy: opening them would begin the recovery that the
 * product has to do.
 */
export async function readDeliveriesAfterCrash(database: string): Promise<DeliveryRecord[]> {
  if (isPostgres(database)) return readDeliveries(database)
  if (!existsSync(database)) return []
  using removed = new DisposableStack()
  const folder = mkdtempSync(join(dirname(database), 'crashed-'))
  removed.defer(() => rmSync(folder, { recursive: true }))
  const copy = join(folder, 'copy.db')
  for (const ending of ['', '-wal']) {
    if (existsSync(database + ending)) copyFileSync(database + ending, copy + ending)
  }
  const tables = await rowsIn(copy, `select 1 from sqlite_schema where name = 'deliveries'`)
  return tables.length > 0 ? await readDeliveries(copy) : []
}

/**
 * Asks the database from outside: a file of SQLite, which may be in use, or a PostgreSQL by its
 * address.
 */
export async function rowsIn(database: string, query: string): Promise<Record<string, unknown>[]> {
  if (isPostgres(database)) return runOnPostgres(database, query)
  using file = new DatabaseSync(database, { timeout: 5_000 })
  return file.prepare(query).all()
}

function isPostgres(database: string): boolean {
  return database.startsWith('postgres:')
}
