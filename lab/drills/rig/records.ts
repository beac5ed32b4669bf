import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProductPlace } from '#rigs/product.ts'

export interface DeliveryRecord {
  id: number
  messageId: string
  state: string
  address: string
  subscriberState: string
  failures: number
  dueAt: number
}

/** The mail has not been sent yet, nor has it failed. */
export function isOwed({ state }: DeliveryRecord): boolean {
  return state === 'queued' || state === 'sending'
}

/** Reads a product's database from outside. The file may be in use. */
export function readDeliveries(databaseFile: string): DeliveryRecord[] {
  return asking(databaseFile, (database) =>
    database
      .prepare(
        `select d.id, d.message_id as messageId, d.state, s.address, s.state as subscriberState,
           d.failures, d.due_at as dueAt
         from deliveries d join subscribers s on s.id = d.subscriber order by d.id`,
      )
      .all(),
  ).map((row) => ({ ...row }) as unknown as DeliveryRecord) // SQL has no types; the columns are named above
}

export function readAddresses(databaseFile: string): Set<string> {
  const rows = asking(databaseFile, (database) => database.prepare('select address from subscribers').all())
  return new Set(rows.map((row) => String(row['address'])))
}

function countUnsent(databaseFile: string): number {
  const [row] = asking(databaseFile, (database) =>
    database.prepare(`select count(*) as unsent from deliveries where state in ('queued', 'sending')`).all(),
  )
  return Number(row?.['unsent'])
}

/** Resolves with the time it took, in ms, once nothing is owed any more. */
export async function untilNothingIsOwed(databaseFile: string, atMostMs: number): Promise<number> {
  const start = performance.now()
  for (;;) {
    const unsent = countUnsent(databaseFile)
    const ms = performance.now() - start
    if (unsent === 0) return ms
    if (ms > atMostMs) throw new Error(`${unsent} mails are still owed after ${Math.round(ms / 1000)} s`)
    await sleep(50)
  }
}

/** Reads the files as a crash left them from a copy: opening them would begin the recovery that the product has to do. */
export function readDeliveriesAfterCrash({
  databaseFile,
  folder,
}: Pick<ProductPlace, 'databaseFile' | 'folder'>): DeliveryRecord[] {
  const copyFolder = mkdtempSync(join(folder, 'crashed-'))
  const copy = join(copyFolder, 'copy.db')
  try {
    if (!existsSync(databaseFile)) return []
    copyFileSync(databaseFile, copy)
    if (existsSync(`${databaseFile}-wal`)) copyFileSync(`${databaseFile}-wal`, `${copy}-wal`)
    return hasTables(copy) ? readDeliveries(copy) : []
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

function hasTables(databaseFile: string): boolean {
  const tables = `select 1 from sqlite_schema where name = 'deliveries'`
  return asking(databaseFile, (database) => database.prepare(tables).all()).length > 0
}

function asking<Result>(databaseFile: string, ask: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(databaseFile, { timeout: 5_000 })
  try {
    return ask(database)
  } finally {
    database.close()
  }
}
