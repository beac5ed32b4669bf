import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { type Connection, type Database, inTransaction, jsonRows } from '#server/database/database.ts'
import { appliedMigrations, migrate, openDatabase } from '#server/database/open-database.ts'
import { type CommandContext, CommandError, UsageError } from '../command-line/command-context.ts'
import { addCommand } from '../command-line/options.ts'
import { requireSqliteFile } from '../command-line/owned-database.ts'
import { startProgress } from '../command-line/progress-bar.ts'
import { inBatches } from '../command-line/in-batches.ts'
import { dropTriggers } from '../webhooks/triggers.ts'
import { faultOfSqlite, openExclusively } from './sqlite-files.ts'

/** Every table with the columns of its key. Tables that others refer to come first. */
const keys = {
  settings: ['name'],
  mail_templates: ['hash'],
  wordings: ['hash'],
  subscribers: ['id'],
  announcements: ['id'],
  deliveries: ['id'],
  blocked_addresses: ['hash'],
  limit_windows: ['name'],
  daily_counts: ['day', 'event', 'detail'],
  desk_sessions: ['hash'],
  desk_secrets: ['hash'],
  desk_passkeys: ['id'],
  desk_audit: ['id'],
  webhook_events: ['id'],
} as const
type MovedTable = keyof typeof keys
export const movedTables = Object.keys(keys) as MovedTable[] // they are its keys

type Row = Record<string, string | number | null>

export function addMoveToCommand(program: Command, context: CommandContext): void {
  const description = 'Copy everything from SQLite to an empty PostgreSQL database. Can be started again'
  addCommand(program, 'move-to', description, 'postgres://starter_bot@localhost/starter_bot')
    .argument(
      '[DATABASE_URL]',
      'The target. The variable TARGET_DATABASE_URL keeps its password out of the list of processes',
    )
    .action((url: string = context.environment['TARGET_DATABASE_URL'] ?? '') => moveTo(context, url))
}

async function moveTo(context: CommandContext, url: string): Promise<void> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new UsageError('Give the address of a database, postgres://…, or set TARGET_DATABASE_URL to it.')
  using source = openSource(context)
  const target = await openDatabase(url)
  try {
    await moveEverything(source, target, context)
  } finally {
    await target.close()
  }
}

async function moveEverything(source: DatabaseSync, target: Database, context: CommandContext) {
  const startedAt = context.now()
  // Before anything is changed: a mistaken address may be that of a running server.
  await refuseOtherData(target.query)
  await migrate(target)
  // Triggers of a server that was started there would report every moved person as new.
  await dropTriggers(target)
  await refuseOlder(source, target)
  // In one transaction, so that an interrupted move leaves the target empty.
  await inTransaction(target.query, async (transaction) => {
    await refuseOtherData(transaction)
    for (const table of movedTables) await moveTable(source, transaction, table, context)
    await continueNumbers(transaction)
  })
  await sql`analyze`.execute(target.query)
  const seconds = ((context.now() - startedAt) / 1000).toFixed(1)
  await context.write(
    `Moved in ${seconds} s; every row was read back and compared. The SQLite file is unchanged.\n` +
      'Set DATABASE_URL to the new address and start the server. Do not start it on the old one again.\n',
  )
}

/** Opened exclusively, so that no sign-up reaches the old database during the copy. */
function openSource(context: CommandContext): DatabaseSync {
  const file = requireSqliteFile(context, 'there is nothing to move.')
  if (!existsSync(file)) throw new CommandError(`There is no database at ${file}.`)
  const fault = faultOfSqlite(file)
  if (fault) throw new CommandError(`${file} cannot be moved: ${fault}.`)
  const source = openExclusively(file)
  if (!source) throw new CommandError('A server is using the database: stop it first. Nothing was copied.')
  return source
}

/** An older version's tables differ, so their rows cannot be copied as they are. */
async function refuseOlder(source: DatabaseSync, target: Database): Promise<void> {
  const applied = source.prepare('select name from migrations').all()
  const here = new Set(applied.map(({ name }) => name))
  if ((await appliedMigrations(target)).isSubsetOf(here)) return
  throw new CommandError(
    'The database is of another version: start the server once, which brings it up to date.',
  )
}

async function refuseOtherData(target: Connection): Promise<void> {
  for (const table of movedTables) {
    const missing = await sql`select 1 where to_regclass(${table}) is null`.execute(target)
    if (missing.rows.length > 0) continue
    const found = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target)
    if (found.rows.length > 0)
      throw new CommandError(
        `The target holds other data (in ${table}); give an empty database. Nothing was copied.`,
      )
  }
}

const pageRows = 2_000

/** Copies the rows page by page, in the order of their key, and reads each page back. */
async function moveTable(
  source: DatabaseSync,
  target: Connection,
  table: MovedTable,
  context: CommandContext,
): Promise<void> {
  const columns = source.prepare('select name, type from pragma_table_info(?)').all(table)
  const types = Object.fromEntries(
    columns.map(({ name, type }) => [String(name), type === 'INTEGER' ? 'bigint' : 'text'] as const),
  )
  const names = sql.raw(Object.keys(types).join(', '))
  const key = keys[table]
  // This is the source's order, whatever the server's locale.
  const order = sql.raw(key.map((name) => (types[name] === 'text' ? `${name} collate "C"` : name)).join(', '))
  const keyOf = (row: Row) => sql.join(key.map((name) => row[name]))
  const total = Number(source.prepare(`select count(*) as n from ${table}`).get()?.['n'])
  const differs = new CommandError(`${table} differs after the copy. Nothing was copied.`)
  const progress = startProgress(context, table.padEnd(14), total)
  const kept = source.prepare(`select * from ${table} order by ${key.join(', ')}`).iterate()
  // Our tables hold text and whole numbers only.
  for await (const page of inBatches(kept as Iterable<Row>, pageRows)) {
    // The numbers are kept, because personal links and leases refer to them.
    await sql`insert into ${sql.table(table)} (${names}) overriding system value
      select ${names} from ${jsonRows(target, page, types)} as moved`.execute(target)
    const { rows } = await sql<Row>`select ${names} from ${sql.table(table)}
      where (${order}) between (${keyOf(page[0]!)}) and (${keyOf(page.at(-1)!)}) order by ${order}`.execute(
      target,
    )
    if (JSON.stringify(rows) !== JSON.stringify(page)) throw differs
    progress.add(page.length)
  }
  progress.end()
  const count = sql<{ moved: number }>`select count(*) as moved from ${sql.table(table)}`
  if ((await count.execute(target)).rows[0]?.moved !== total) throw differs
  context.writeError(`${table.padEnd(14)} ${total} rows, the same on both sides\n`)
}

/** New rows get numbers above the moved ones. */
async function continueNumbers(target: Connection): Promise<void> {
  for (const table of ['subscribers', 'announcements', 'deliveries', 'desk_audit', 'webhook_events'])
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false)
      from ${sql.table(table)}`.execute(target)
}
