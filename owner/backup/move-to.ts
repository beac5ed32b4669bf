import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import { sql } from 'kysely'
import type { Database } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { settingNames } from '#server/database/setting-names.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import { type CommandContext, CommandError, UsageError } from '../command-line/command-context.ts'
import { dropTriggers } from '../webhooks/triggers.ts'
import { addExample } from '../command-line/options.ts'
import { requireSqliteFile } from '../command-line/owned-database.ts'
import { startProgress } from '../command-line/progress-bar.ts'
import {
  columnsOf,
  continueNumbers,
  countRows,
  insertRows,
  type MovedTable,
  movedTableNames,
  type Row,
  sourcePages,
  targetPages,
} from './moved-tables.ts'
import { faultOfSqlite, openExclusively } from './sqlite-files.ts'

export function addMoveToCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('move-to')
    .description('Copy everything from SQLite to an empty PostgreSQL database. Can be started again')
    .argument(
      '[DATABASE_URL]',
      'The target. The variable TARGET_DATABASE_URL keeps its password out of the list of processes',
    )
  addExample(command, 'move-to postgres://starter_bot@localhost/starter_bot')
  command.action((url: string = context.environment['TARGET_DATABASE_URL'] ?? '') => moveTo(context, url))
}

/** In the target's settings until everything is copied and compared. */
const marker = settingNames.movingFrom

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

async function moveEverything(
  source: DatabaseSync,
  target: Database,
  context: CommandContext,
): Promise<void> {
  const startedAt = context.now()
  await migrate(target)
  // A server that was started there would tell of the people who move in.
  await dropTriggers(target)
  await refuseOlder(source, target)
  await claimTarget(source, target)
  for (const table of movedTableNames) await copyTable(source, target, table, context)
  await continueNumbers(target)
  await sql`analyze`.execute(target.query)
  for (const table of movedTableNames) await compareTable(source, target, table, context)
  await target.query.deleteFrom('settings').where('name', '=', marker).execute()
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
  const here = new Set(
    source
      .prepare('select name from migrations')
      .all()
      .map(({ name }) => name),
  )
  const there = await sql<{ name: string }>`select name from migrations`.execute(target.query)
  if (there.rows.every(({ name }) => here.has(name))) return
  throw new CommandError(
    'The database is of another version: start the server once, which brings it up to date.',
  )
}

async function claimTarget(source: DatabaseSync, target: Database): Promise<void> {
  const secret =
    source.prepare('select value from settings where name = ?').get(settingNames.secret)?.['value'] ?? ''
  const origin = createHash('sha256').update(String(secret)).digest('base64url')
  if ((await readSetting(target.query, marker)) === origin) return
  for (const table of movedTableNames) {
    const found = await target.query
      .selectFrom(table)
      .select(sql`1`.as('one'))
      .limit(1)
      .execute()
    if (found.length > 0)
      throw new CommandError(
        `The target holds other data (in ${table}); give an empty database. Nothing was copied.`,
      )
  }
  await writeSetting(target.query, marker, origin)
}

async function copyTable(
  source: DatabaseSync,
  target: Database,
  table: MovedTable,
  context: CommandContext,
): Promise<void> {
  const columns = columnsOf(source, table)
  const progress = startProgress(context, table.padEnd(14), countRows(source, table))
  for (const page of sourcePages(source, table)) {
    await insertRows(target, table, columns, page)
    progress.add(page.length)
  }
  progress.end()
}

async function compareTable(
  source: DatabaseSync,
  target: Database,
  table: MovedTable,
  context: CommandContext,
): Promise<void> {
  const [here, there] = [checksum(), checksum()]
  for (const page of sourcePages(source, table)) here.add(page)
  for await (const page of targetPages(target, table, columnsOf(source, table)))
    there.add(page.filter((row) => table !== 'settings' || row['name'] !== marker))
  const [mine, theirs] = [here.result(), there.result()]
  if (mine.rows !== theirs.rows || mine.hash !== theirs.hash)
    throw new CommandError(
      `${table} differs: ${mine.rows} rows here, ${theirs.rows} there. The source has changed since the move started: empty the target and start again.`,
    )
  context.writeError(`${table.padEnd(14)} ${mine.rows} rows, same count and checksum on both sides\n`)
}

function checksum() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(page: readonly Row[]) {
      rows += page.length
      for (const row of page) hash.update(`${JSON.stringify(Object.values(row))}\n`)
    },
    result: () => ({ rows, hash: hash.digest('hex') }),
  }
}
