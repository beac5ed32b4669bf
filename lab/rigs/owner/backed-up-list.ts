import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import sql from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { readSecret } from '#server/database/settings.ts'
import { ownerNow, ownerOf } from './owner-commands.ts'
import { subscribe } from './owner-terminal.ts'
import { addPeople } from '../server/people.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const pageBytes = 4096 // SQLite's

/**
 * The database of a stopped server, with an unsent mail to each of `addresses`, and a backup of it.
 */
export async function backedUp(...addresses: string[]) {
  const file = join(temporaryFolder(), 'test.db')
  await running(file, async (database) => {
    await migrate(database, ownerMigrations)
    await database.transaction(readSecret)
    for (const address of addresses) await signUp(database, address)
  })
  const backup = join(temporaryFolder(), 'backup.db')
  await ownerOf(`file:${file}`)('backup', backup)
  const restore = (afterMs = 0, from = backup) =>
    ownerOf(`file:${file}`, {}, { now: () => ownerNow + afterMs })('restore', from)
  return { file, backup, restore }
}

/**
 * A database as `backedUp` makes it, with one more sign-up in a newer backup; then the older backup
 * took its place.
 */
export async function olderPutInPlace(before: string, since: string) {
  const { file, restore } = await backedUp(before)
  const newer = join(temporaryFolder(), 'newer.db')
  await running(file, async (database) => {
    await signUp(database, since, 'sent')
    await ownerOf(`file:${file}`)('backup', newer)
  })
  rmSync(file)
  await restore()
  return { file, newer }
}

/** Somebody who signs up on the page. Returns the delivery's number. */
export async function signUp(
  database: Database,
  email: string,
  outcome: 'queued' | 'sent' | 'failed' = 'queued',
): Promise<number> {
  await addPeople(database, [email], { at: ownerNow, form: 'hero' })
  return subscribe(database, email, outcome)
}

/** A letter under way, with a mail to everybody. */
export function mailUnderWay(database: Database) {
  return database.transaction(async (transaction) => {
    await transaction.run(sql`
      insert into mailings (name, audience, state, template, changed_at, starts_at, resumed_at)
      select 'news', 'everyone', 'sending', hash, 9, 9, 9 from mail_templates`)
    await transaction.run(sql`
      insert into deliveries (subscriber, mailing, message_id, template, state, priority, due_at, queued_at)
      select s.id, a.id, 'to ' || s.id, a.template, 'queued', 9, 9, 9 from subscribers s, mailings a order by s.id`)
  })
}

/** The owner imports a file of these addresses. */
export function importPeople(file: string, ...addresses: string[]) {
  const people = join(temporaryFolder(), 'people.csv')
  writeFileSync(people, ['email', ...addresses].join('\n'))
  return ownerOf(`file:${file}`)('subscribers', 'import', people)
}

/** The owner imports a file of bounces with these lines below `email,type`. */
export function importBounces(file: string, ...lines: string[]) {
  const bounces = join(temporaryFolder(), 'bounces.csv')
  writeFileSync(bounces, ['email,type', ...lines].join('\n'))
  return ownerOf(`file:${file}`)('subscribers', 'suppress', bounces)
}

/** As a server that has the file open meanwhile. */
export async function running<Result>(
  file: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(`file:${file}`)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** `kind`: text, damaged, of another program. */
export function makeBad(file: string, kind: string) {
  if (kind === 'text') {
    return writeFileSync(file, 'not a database, but long enough to be one'.repeat(50))
  }
  if (kind === 'damaged') {
    return writeFileSync(file, readFileSync(file).fill(0, 4 * pageBytes, 6 * pageBytes))
  }
  rmSync(file)
  using database = new DatabaseSync(file)
  database.exec('create table t (a)')
}

export function namesBeside(file: string): string[] {
  return readdirSync(dirname(file)).filter(
    (name) => name !== basename(file) && !name.endsWith('.log'),
  )
}

export function addressesIn(file: string): unknown[] {
  return rowsIn(file, 'select address from subscribers order by id').map(({ address }) => address)
}

/** A line for each delivery. */
export function statesIn(file: string): string[] {
  const rows = rowsIn(
    file,
    `select s.address || ' ' || s.state || ' ' || d.state || coalesce(': ' || d.last_fault, '') as line
     from subscribers s join deliveries d on d.subscriber = s.id order by d.id`,
  )
  return rows.map(({ line }) => String(line))
}

export function rowsIn(file: string, query: string) {
  using database = new DatabaseSync(file)
  const rows = database.prepare(query).all()
  return rows.map((row) => ({ ...row })) // with a prototype, for toEqual
}
