import sql, { type Sql } from 'sql-template-tag'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import type { Database } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { addDailyCounts, type DailyCount, dayOf } from '#server/statistics/daily-counts.ts'

const dayMs = 24 * 60 * 60_000
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
  const isPostgres = databaseUrl.startsWith('postgres')
  const numbers = isPostgres
    ? sql`select n from generate_series(1, ${people}) as numbers (n)`
    : sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${people})
        select n from numbers`
  const start = Date.now() - days * dayMs
  const stepMs = Math.floor(((days - 1) * dayMs) / people)
  await database.transaction(async (transaction) => {
    await transaction.run(sql`
      insert into mail_templates (hash, content) values ('bench', '{}')`)
    await transaction.run(sql`
      insert into subscribers (identity, address, token, state, signed_up_at, last_mailed_at, form,
        campaign, announcements_agreed_at, announcements_cover)
      select 'person' || n || '@example' || (n % 1000) || '.com',
        'person' || n || '@example' || (n % 1000) || '.com',
        'bench' || n, case when n % 10 = 0 then 'unsubscribed' else 'active' end,
        ${integer(start)} + n * ${integer(stepMs)}, ${integer(start)} + n * ${integer(stepMs)}, 'hero', 'source' || (n % ${campaigns}),
        case when n % 5 = 1 then ${integer(start)} + n * ${integer(stepMs)} end,
        case when n % 5 = 1 then 'news' end
      from (${numbers}) as numbered`)
    await transaction.run(sql`
      insert into deliveries (subscriber, message_id, template, state, priority, due_at, queued_at,
        finished_at)
      select id, '<starter' || id || '@bench>', 'bench', 'sent', 0, signed_up_at, signed_up_at,
        signed_up_at + 900
      from subscribers`)
  })
  await countDays(database, people)
  for (let letter = 1; letter <= letters; letter += 1) await sendLetter(database, letter)
  await analyze(database, isPostgres)
  await database.close()
}

/** What every campaign brought on each day. */
async function countDays(database: Database, people: number): Promise<void> {
  const signUps = Math.ceil(people / days / campaigns)
  for (let ago = 0; ago < days; ago += 1) {
    const day = dayOf(Date.now() - ago * dayMs)
    const counts: DailyCount[] = [
      { day, event: 'signed-up', detail: 'hero', count: signUps * campaigns },
      { day, event: 'delivered', detail: '', count: signUps * campaigns },
      { day, event: 'landing-viewed', detail: 'person', count: 9 * signUps * campaigns },
    ]
    for (let number = 0; number < campaigns; number += 1) {
      const detail = `source${number}`
      counts.push({ day, event: 'viewed-from', detail, count: 9 * signUps })
      counts.push({ day, event: 'came-from', detail, count: signUps })
      counts.push({ day, event: 'opened-from', detail, count: signUps })
      counts.push({ day, event: 'taken-from', detail, count: signUps })
    }
    await database.transaction((transaction) => addDailyCounts(transaction, counts))
  }
}

/** One transaction each, so that SQLite's log of the changes stays small. */
async function sendLetter(database: Database, letter: number): Promise<void> {
  const at = Date.now() - (letters + 1 - letter) * 30 * dayMs
  await database.transaction(async (transaction) => {
    await transaction.run(sql`
      insert into announcements (name, kind, audience, state, template, signed_up_before, starts_at,
        resumed_at, ended_at, subject)
      values (${`letter-${letter}`}, 'letter', 'everyone', 'done', 'bench', ${at}, ${at}, ${at},
        ${at + dayMs}, ${`Letter ${letter}`})`)
    await transaction.run(sql`
      insert into deliveries (subscriber, announcement, message_id, template, state, priority,
        due_at, queued_at, finished_at)
      select s.id, a.id, '<letter-' || a.id || '-' || s.id || '@bench>', 'bench', 'sent', 9,
        ${integer(at)}, ${integer(at)}, ${integer(at)} + s.id % 80000000
      from subscribers s join announcements a on a.name = ${`letter-${letter}`}
      where s.id % 5 = ${letter % 5}`)
  })
}

/** PostgreSQL would take it for a number of 32 bits. */
const integer = (value: number): Sql => sql`cast(${value} as bigint)`

/** A database that has grown over a year knows its own statistics. */
async function analyze(database: Database, isPostgres: boolean): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(isPostgres ? sql`analyze` : sql`pragma optimize = 0x10002`),
  )
}
