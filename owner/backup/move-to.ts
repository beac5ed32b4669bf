import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { migrate } from '#server/database/migrate.ts'
import type { Database } from '#server/database/database.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { faultOfSqlite, openAlone } from '#owner/backup/sqlite-files.ts'
import { type Call, type Command, Misread, Refusal } from '../command-line/command.ts'
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
import { sqliteFile } from '../command-line/owned-database.ts'
import { startProgress } from '../command-line/progress-bar.ts'

export const moveTo: Command = {
  name: 'move-to',
  takes: ['[DATABASE_URL]'],
  does: 'copies everything from SQLite to an empty PostgreSQL database, named by DATABASE_URL or, so that no password is on the command line, by the variable TARGET_DATABASE_URL; can be started again',
  example: 'move-to postgres://starter_bot@localhost/starter_bot',
  run: move,
}

/** Stands in the target's settings until everything is there and compared. */
const marker = 'moving-from'

async function move(call: Call): Promise<void> {
  const url = call.words[0] ?? call.environment['TARGET_DATABASE_URL'] ?? ''
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new Misread('Give the address of a database, postgres://…, or set TARGET_DATABASE_URL to it.')
  const source = openSource(call)
  try {
    const target = await openDatabase(url)
    try {
      await moveEverything(source, target, call)
    } finally {
      await target.close()
    }
  } finally {
    source.close()
  }
}

async function moveEverything(source: DatabaseSync, target: Database, call: Call): Promise<void> {
  const startedAt = call.now()
  await migrate(target)
  await refuseOlder(source, target)
  await claimTarget(source, target)
  for (const table of movedTableNames) await copyTable(source, target, table, call)
  await continueNumbers(target)
  await sql`analyze`.execute(target.query)
  for (const table of movedTableNames) await compareTable(source, target, table, call)
  await target.query.deleteFrom('settings').where('name', '=', marker).execute()
  const seconds = ((call.now() - startedAt) / 1000).toFixed(1)
  await call.write(
    `Moved in ${seconds} s; every row was read back and compared. The SQLite file is as it was.\n` +
      'Set DATABASE_URL to the new address and start the server. Do not start it on the old one again.\n',
  )
}

/** Nobody signs up on the old side while we copy: held alone until the end. */
function openSource({ config }: Call): DatabaseSync {
  const file = sqliteFile(config.databaseUrl)
  if (file === undefined)
    throw new Refusal('DATABASE_URL names PostgreSQL already: there is nothing to move.')
  if (!existsSync(file)) throw new Refusal(`There is no database at ${file}.`)
  const fault = faultOfSqlite(file)
  if (fault) throw new Refusal(`${file} cannot be moved: ${fault}.`)
  const source = openAlone(file)
  if (!source) throw new Refusal('A server is using the database: stop it first. Nothing was copied.')
  return source
}

/** What an older version has kept in another form cannot be copied as it stands. */
async function refuseOlder(source: DatabaseSync, target: Database): Promise<void> {
  const here = new Set(
    source
      .prepare('select name from migrations')
      .all()
      .map(({ name }) => name),
  )
  const there = await sql<{ name: string }>`select name from migrations`.execute(target.query)
  if (there.rows.every(({ name }) => here.has(name))) return
  throw new Refusal('The database is of another version: start the server once, it brings it up to date.')
}

async function claimTarget(source: DatabaseSync, target: Database): Promise<void> {
  const secret = source.prepare("select value from settings where name = 'secret'").get()?.['value'] ?? ''
  const origin = createHash('sha256').update(String(secret)).digest('base64url')
  const marked = await target.query
    .selectFrom('settings')
    .select('value')
    .where('name', '=', marker)
    .executeTakeFirst()
  if (marked?.value === origin) return
  for (const table of movedTableNames) {
    const found = await target.query
      .selectFrom(table)
      .select(sql`1`.as('one'))
      .limit(1)
      .execute()
    if (found.length > 0)
      throw new Refusal(
        `The target holds other data (in ${table}); give an empty database. Nothing was copied.`,
      )
  }
  await target.query.insertInto('settings').values({ name: marker, value: origin }).execute()
}

async function copyTable(
  source: DatabaseSync,
  target: Database,
  table: MovedTable,
  call: Call,
): Promise<void> {
  const columns = columnsOf(source, table)
  const progress = startProgress(call, table.padEnd(14), countRows(source, table))
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
  call: Call,
): Promise<void> {
  const [here, there] = [checksum(), checksum()]
  for (const page of sourcePages(source, table)) here.add(page)
  for await (const page of targetPages(target, table, columnsOf(source, table)))
    there.add(page.filter((row) => table !== 'settings' || row['name'] !== marker))
  const [mine, theirs] = [here.result(), there.result()]
  if (mine.rows !== theirs.rows || mine.hash !== theirs.hash)
    throw new Refusal(
      `${table} differs: ${mine.rows} rows here, ${theirs.rows} there. The source has changed since the move was begun: empty the target and begin again.`,
    )
  call.writeAside(`${table.padEnd(14)} ${mine.rows} rows, same count and checksum on both sides\n`)
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
