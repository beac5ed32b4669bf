import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { ProductPlace } from '#rigs/product.ts'
import { eventually } from './eventually.ts'

export interface DeliveryRecord {
  id: number
  messageId: string
  state: string
  address: string
  subscriberState: string
  dueAt: number
}

/** The mail has not been sent yet, nor has it failed. */
export function isOwed({ state }: DeliveryRecord): boolean {
  return state === 'queued' || state === 'sending'
}

export async function readDeliveries(database: string): Promise<DeliveryRecord[]> {
  const rows = await rowsIn(
    database,
    `select d.id, d.message_id, d.state, s.address, s.state as subscriber_state, d.due_at
     from deliveries d join subscribers s on s.id = d.subscriber order by d.id`,
  )
  return rows.map((row) => ({
    id: Number(row['id']),
    messageId: String(row['message_id']),
    state: String(row['state']),
    address: String(row['address']),
    subscriberState: String(row['subscriber_state']),
    dueAt: Number(row['due_at']),
  }))
}

export async function readAddresses(database: string): Promise<Set<string>> {
  const rows = await rowsIn(database, 'select address from subscribers')
  return new Set(rows.map(({ address }) => String(address)))
}

export async function untilNothingIsOwed(database: string, withinMs: number): Promise<void> {
  const owed = `select 1 from deliveries where state in ('queued', 'sending') limit 1`
  await eventually('no mail is owed', async () => (await rowsIn(database, owed)).length === 0, withinMs)
}

/** Reads the files as a crash left them from a copy: opening them would begin the recovery that the product has to do. */
export async function readDeliveriesAfterCrash({
  databaseFile,
  folder,
}: Pick<ProductPlace, 'databaseFile' | 'folder'>): Promise<DeliveryRecord[]> {
  if (!existsSync(databaseFile)) return []
  const copyFolder = mkdtempSync(join(folder, 'crashed-'))
  const copy = join(copyFolder, 'copy.db')
  try {
    copyFileSync(databaseFile, copy)
    if (existsSync(`${databaseFile}-wal`)) copyFileSync(`${databaseFile}-wal`, `${copy}-wal`)
    const tables = await rowsIn(copy, `select 1 from sqlite_schema where name = 'deliveries'`)
    return tables.length > 0 ? await readDeliveries(copy) : []
  } finally {
    rmSync(copyFolder, { recursive: true, force: true })
  }
}

/** Searches the database's files: the file, its log, its index. */
export function filesThatHold(databaseFile: string, marker: string): string[] {
  const folder = dirname(databaseFile)
  return readdirSync(folder)
    .filter((name) => name.startsWith(basename(databaseFile)))
    .filter((name) => readFileSync(join(folder, name), 'latin1').toLowerCase().includes(marker))
}

/** Asks the database from outside: a file of SQLite, which may be in use, or a PostgreSQL by its address. */
export async function rowsIn(database: string, query: string): Promise<Record<string, unknown>[]> {
  if (!database.startsWith('postgres:')) {
    using file = new DatabaseSync(database, { timeout: 5_000 })
    return file.prepare(query).all()
  }
  const client = new Client({ connectionString: database })
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
