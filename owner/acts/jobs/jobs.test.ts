import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { fullReadsOf } from '#rigs/database/full-reads.ts'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { type Database, Unavailable } from '#server/database/database.ts'
import { dayMs } from '#server/database/clock.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { readAudit } from '../audit.ts'
import { dropEndedJobs } from './drop-ended-jobs.ts'
import { outcomeOf, titleOf } from './job-words.ts'
import { type JobCounts, type JobKind, listJobs, readJob, startJob, stopJob } from './jobs.ts'
import { finishJob, type JobAct, type JobActs, runJobs } from './run-jobs.ts'

const now = Date.UTC(2026, 0, 5)
const clock = () => now
const numbers = Array.from({ length: 250 }, (_, index) => index)

test('a job whose process died goes on in another, and nothing of it is done twice', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const id = await startNumbers(database)
  let pieces = 0
  const dying: JobAct = (...piece) => {
    pieces += 1
    if (pieces === 2) throw new Error('killed')
    return keepNumbers(...piece)
  }
  await expect(finishJob(database, id, dying, { clock })).rejects.toThrow('killed')
  expect(await readJob(database, id)).toMatchObject({ state: 'running', done: 100 })

  await runJobs(database, actsWith(keepNumbers), clock)
  expect(await readJob(database, id)).toMatchObject({
    state: 'done',
    done: 250,
    counts: { queued: 250 },
    endedAt: now,
  })
  expect(await keptNumbers(database)).toHaveLength(250)
})

test('two servers that run a job at the same time do each piece once', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const id = await startNumbers(database)
  const acts = actsWith(keepNumbers)
  await Promise.all([runJobs(database, acts, clock), runJobs(database, acts, clock)])
  expect(await readJob(database, id)).toMatchObject({ done: 250, counts: { queued: 250 } })
})

test('a job that is stopped does nothing more, and what it did stays', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const id = await startNumbers(database)
  const stopAfterFirst = () => void stopJob(database, id, now)
  let isFirst = true
  const onProgress = () => {
    if (isFirst) stopAfterFirst()
    isFirst = false
  }
  const job = await finishJob(database, id, keepNumbers, { clock, onProgress })
  expect(job).toMatchObject({ state: 'stopped', endedAt: now })
  expect(job.done).toBeLessThan(250)
  expect(await keptNumbers(database)).toHaveLength(job.done)
  await expect(stopJob(database, id, now)).rejects.toThrow('It has ended already.')
  expect((await readAudit(database))[0]).toMatchObject({
    action: 'Stopped a job',
    about: String(id),
  })
})

test('a job whose piece always fails stops after three tries, and says so', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const id = await startNumbers(database)
  let tries = 0
  const acts = actsWith((transaction, items, job) => {
    if (job.done === 0) return keepNumbers(transaction, items, job)
    tries += 1
    throw new Error('a piece of another version')
  })
  for (const _ of [1, 2, 3]) {
    await expect(runJobs(database, acts, clock)).rejects.toThrow('another version')
  }
  await runJobs(database, acts, clock)
  const job = await readJob(database, id)
  expect([tries, job]).toMatchObject([3, { state: 'stopped', done: 100, endedAt: now }])
  expect(outcomeOf(job!)).toBe(
    'A part of it failed three times. The log says why. 100 mails go out again.',
  )
})

test('an outage of the database is no failure of a job', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const id = await startNumbers(database)
  const away = actsWith(() => Promise.reject(new Unavailable('away')))
  for (const _ of [1, 2, 3, 4]) {
    await expect(runJobs(database, away, clock)).rejects.toThrow('away')
  }
  await runJobs(database, actsWith(keepNumbers), clock)
  expect(await readJob(database, id)).toMatchObject({ state: 'done', done: 250 })
})

test('what is left of a stopped job is deleted, and a job after 90 days', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const id = await startNumbers(database)
  await stopJob(database, id, now)
  await dropEndedJobs(database, now)
  expect(await database.rows(sql`select number from owner_job_pieces`)).toEqual([])
  expect(await listJobs(database, 5)).toHaveLength(1)
  await dropEndedJobs(database, now + 91 * dayMs)
  expect(await listJobs(database, 5)).toEqual([])
})

test('a job that is stopped while its end is written stays stopped', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const id = await startJob(database, { kind: 'retry', action: 'Retried mail', now }, [])
  const late: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          ...transaction,
          async row<Row>(query: Sql) {
            const found = await transaction.row<Row>(query)
            // On PostgreSQL another process stops it meanwhile.
            if (query.sql.includes('owner_job_pieces')) {
              await transaction.run(sql`update owner_jobs set state = 'stopped' where id = ${id}`)
            }
            return found
          },
        }),
      ),
  }
  expect(await finishJob(late, id, keepNumbers, { clock })).toMatchObject({ state: 'stopped' })
})

test('what is left of ended jobs is found without reading the pieces of a job that runs', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const queries: Sql[] = []
  const watched: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          ...transaction,
          run(query) {
            queries.push(query)
            return transaction.run(query)
          },
        }),
      ),
  }
  await dropEndedJobs(watched, now)
  expect(queries).toHaveLength(3)
  for (const query of queries) expect(await fullReadsOf(database, query), query.sql).toEqual([])
})

test('pieces of a job that still runs are kept', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  await startNumbers(database)
  await dropEndedJobs(database, now + 91 * dayMs)
  expect(await database.rows(sql`select number from owner_job_pieces order by number`)).toEqual([
    { number: 0 },
    { number: 100 },
    { number: 200 },
  ])
})

interface JobInWords {
  kind: JobKind
  counts: JobCounts
  title: string
  outcome: string
}

test.each<JobInWords>([
  {
    kind: 'import',
    counts: { added: 2_000, known: 1, duplicates: 3, refused: 0 },
    title: 'Import of 1 person',
    outcome: '2,000 added, 1 on the list before, 3 twice in the file, 0 refused.',
  },
  {
    kind: 'undo-import',
    counts: { erased: 5, kept: 1 },
    title: 'Undoing an import of 1 person',
    outcome: '5 removed, 1 kept: they signed up since, or got a mail.',
  },
  {
    kind: 'undo-import',
    counts: { erased: 5, kept: 0 },
    title: 'Undoing an import of 1 person',
    outcome: '5 removed.',
  },
  {
    kind: 'retry',
    counts: { queued: 7 },
    title: 'Trying 1 mail again',
    outcome: '7 mails go out again.',
  },
  {
    kind: 'suppress',
    counts: { returned: 4, complaint: 1 },
    title: 'Taking 1 address off the list',
    outcome: 'Taken off the list: 4 undeliverable, 0 unsubscribed, 1 blocked.',
  },
])(
  'a job of the kind $kind has a title, and says what came of it',
  ({ kind, counts, title, outcome }) => {
    expect(titleOf({ kind, about: '', total: 1 })).toBe(title)
    expect(outcomeOf({ kind, counts, stoppedWhy: null })).toBe(outcome)
  },
)

function startNumbers(database: Database): Promise<number> {
  return startJob(database, { kind: 'retry', action: 'Retried mail', now }, numbers)
}

/** Keeps each number in a row of its own, so that a second time would fail. */
const keepNumbers: JobAct = async (transaction, items) => {
  for (const item of items) {
    await transaction.run(sql`insert into erased_subscribers (id) values (${item})`)
  }
  return { queued: items.length }
}

function keptNumbers(database: Database): Promise<unknown[]> {
  return database.rows(sql`select id from erased_subscribers`)
}

function actsWith(act: JobAct): JobActs {
  return { import: act, 'undo-import': act, retry: act, suppress: act }
}
