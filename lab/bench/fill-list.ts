// `node run.mjs lab/bench/fill-list.ts DATABASE_URL PEOPLE`: fills an empty database with a list,
// to try the desk with. The bench of the list does the same.
import sql, { join, type Sql } from 'sql-template-tag'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { type CountedEvent, dayOf } from '#server/statistics/daily-counts.ts'

const letters = 12
const campaigns = 40
const days = 400

/**
 * Puts `people` on the list of a new database: a sent starter mail each over the last 400 days, and
 * twelve letters that ended, each to a fifth of them. A tenth has left, a fifth agreed to news. SQL
 * makes them, because a million sign-ups would take an hour.
 */
export async function fillList(databaseUrl: string, people: number): Promise<void> {
  const database = await openDatabase(databaseUrl)
  await migrate(database, ownerMigrations)
  await database.transaction((transaction) =>
    transaction.run(sql`insert into mail_templates (hash, content) values ('bench', '{}')`),
  )
  for (let first = 1; first <= people; first += atOnce) {
    const last = Math.min(people, first + atOnce - 1)
    await database.transaction((transaction) => addPeople(transaction, { first, last, people }))
  }
  await countDays(database, people)
  for (let letter = 1; letter <= letters; letter += 1) await sendLetter(database, letter, people)
  await settle(database)
  await database.close()
}

/** A database that has grown over a year was vacuumed, and knows its own statistics. */
async function settle(database: Database): Promise<void> {
  if (database.engine === 'postgres') await database.clearDeleted()
  const analyze = database.engine === 'postgres' ? sql`analyze` : sql`pragma optimize = 0x10002`
  await database.transaction((transaction) => transaction.run(analyze))
}

/** People of one transaction: a statement of PostgreSQL may take 10 s, also on a busy machine. */
const atOnce = 10_000

interface Numbers {
  first: number
  last: number
  /** In all. */
  people: number
}

async function addPeople(
  transaction: Transaction,
  { first, last, people }: Numbers,
): Promise<void> {
  const start = integer(Date.now() - days * dayMs)
  const at = sql`${start} + n * ${integer(Math.floor(((days - 1) * dayMs) / people))}`
  await transaction.run(sql`
    insert into subscribers (identity, address, token, state, signed_up_at, form,
      campaign, announcements_agreed_at, version, version_date)
    with recursive numbers (n) as (
      select ${integer(first)} union all select n + 1 from numbers where n < ${integer(last)}
    )
    select 'person' || n || '@example' || (n % 1000) || '.com',
      'person' || n || '@example' || (n % 1000) || '.com',
      'bench' || n, case when n % 10 = 0 then 'unsubscribed' else 'active' end,
      ${at}, 'hero', 'source' || (n % ${integer(campaigns)}),
      case when n % 5 = 1 then ${at} end, '1.' || (n % 3) || '.0', '2026-11-2' || (n % 3)
    from numbers`)
  await transaction.run(sql`
    insert into deliveries (subscriber, message_id, template, state, priority, due_at, queued_at,
      finished_at)
    select id, '<starter' || id || '@bench>', 'bench', 'sent', 0, signed_up_at, signed_up_at,
      signed_up_at + 900
    from subscribers where id >= ${first} and id <= ${last}`)
}

/** The counts that every campaign brought on each day. */
async function countDays(database: Database, people: number): Promise<void> {
  const signUps = Math.ceil(people / days / campaigns)
  for (let ago = 0; ago < days; ago += 1) {
    const day = dayOf(Date.now() - ago * dayMs)
    const row = (event: CountedEvent, detail: string, count: number) =>
      sql`(${day}, ${event}, ${detail}, ${count})`
    const rows = [
      row('signed-up', 'hero', signUps * campaigns),
      row('delivered', '', signUps * campaigns),
      row('landing-viewed', 'person', 9 * signUps * campaigns),
    ]
    for (let number = 0; number < campaigns; number += 1) {
      const detail = `source${number}`
      rows.push(row('viewed-from', detail, 9 * signUps))
      rows.push(row('came-from', detail, signUps))
      rows.push(row('opened-from', detail, signUps))
      rows.push(row('taken-from', detail, signUps))
    }
    await database.transaction((transaction) =>
      transaction.run(sql`
        insert into daily_counts (day, event, detail, count) values ${join(rows)}`),
    )
  }
}

async function sendLetter(database: Database, letter: number, people: number): Promise<void> {
  const at = Date.now() - (letters + 1 - letter) * 30 * dayMs
  const mailing = await database.transaction((transaction) =>
    transaction.insert(sql`
      insert into mailings (name, state, subject, words, audience, changed_at, template, starts_at,
        resumed_at, ended_at, to_send, sent)
      values (${`letter-${letter}`}, 'done', ${`Letter ${letter}`}, 'Words', 'everyone', ${at},
        'bench', ${at}, ${at}, ${at + dayMs}, ${Math.floor(people / 5)}, ${Math.floor(people / 5)})`),
  )
  for (let first = 1; first <= people; first += 5 * atOnce) {
    await database.transaction((transaction) =>
      transaction.run(sql`
        insert into deliveries (subscriber, mailing, message_id, template, state, priority,
          due_at, queued_at, finished_at)
        select id, ${mailing}, '<letter-' || ${letter} || '-' || id || '@bench>', 'bench', 'sent', 9,
          ${integer(at)}, ${integer(at)}, ${integer(at)} + id % 80000000
        from subscribers
        where id >= ${first} and id < ${first + 5 * atOnce} and id % 5 = ${letter % 5}`),
    )
  }
}

/** PostgreSQL would take it for a number of 32 bits. */
const integer = (value: number): Sql => sql`cast(${value} as bigint)`

if (process.argv[1] === import.meta.filename) {
  const [url, people] = process.argv.slice(2)
  if (url === undefined || !(Number(people) > 0)) {
    console.error('Usage: node run.mjs lab/bench/fill-list.ts DATABASE_URL PEOPLE')
    process.exit(2)
  }
  await fillList(url, Number(people))
}
