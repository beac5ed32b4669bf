import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { eventually } from '#rigs/eventually.ts'
import { accepted, permanent, temporary } from '#rigs/mail/programmable-mailer.ts'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { ownerNow, ownerOf } from '#rigs/owner/owner-commands.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { addresses } from '#rigs/server/people.ts'
import { deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import type { Database } from '#server/database/database.ts'
import { changeMailing } from '#owner/mailings/change-mailing.ts'
import { retry } from './retry-deliveries.ts'

test('a retried delivery is queued again, and its subscriber is active again', async () => {
  const { database, owner } = await openOwnerTerminal()
  const id = await subscribe(database, 'ada@example.com', 'failed')
  expect(await owner('deliveries', 'retry', String(id))).toMatchObject({ code: 0 })
  expect(await database.rows(sql`select id, state, due_at, failures from deliveries`)).toEqual([
    { id, state: 'queued', due_at: ownerNow, failures: 0 },
  ])
  expect(await database.rows(sql`select state, left_at from subscribers`)).toEqual([
    { state: 'active', left_at: null },
  ])
})

test('retrying all failed deliveries skips people who left or have a newer starter mail', async () => {
  const { database, owner } = await openOwnerTerminal()
  const wanted = await subscribe(database, 'ada@example.com', 'failed', 'smtp 554 to DATA')
  for (const [name, state] of [
    ['left@example.com', 'unsubscribed'],
    ['blocked@example.com', 'blocked'],
  ] as const) {
    await subscribe(database, name, 'failed')
    await run(database, sql`update subscribers set state = ${state} where identity = ${name}`)
  }
  await subscribe(database, 'again@example.com', 'failed')
  await subscribe(database, 'again@example.com', 'sent')
  expect((await owner('deliveries', 'retry', 'failed')).printed).toBe('1 mail goes out again.\n')
  expect(await database.rows(sql`select id from deliveries where state = 'queued'`)).toEqual([
    { id: wanted },
  ])
})

test('retrying all failed deliveries leaves dead mailboxes off the list, and says how many', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'dead@example.com', 'failed', 'smtp 550 5.1.1 to RCPT TO')
  await subscribe(database, 'fine@example.com', 'failed', 'smtp 554 to DATA')
  expect((await owner('deliveries', 'retry', 'failed')).printed).toBe(
    '1 mail goes out again.\n' +
      '1 mail left out: there is no such mailbox. Correct the address first.\n',
  )
  expect(await database.rows(sql`select address, state from subscribers order by id`)).toEqual([
    { address: 'dead@example.com', state: 'undeliverable' },
    { address: 'fine@example.com', state: 'active' },
  ])
})

test('retrying a delivery that waits for its next try makes it due now, and leaves its subscriber alone', async () => {
  const { database, owner } = await openOwnerTerminal()
  const id = await subscribe(database, 'ada@example.com')
  await run(database, sql`update deliveries set due_at = ${ownerNow + 3_600_000}`)
  await run(database, sql`update subscribers set state = 'undeliverable'`) // by a report of another mail
  expect(await owner('deliveries', 'retry', String(id))).toMatchObject({ code: 0 })
  const rows = await database.rows(sql`select d.due_at, s.state from deliveries d, subscribers s`)
  expect(rows).toEqual([{ due_at: ownerNow, state: 'undeliverable' }])
})

test('a retry during the pause of a letter sends nothing, and the figures know of it', async () => {
  const list = await makeMailingList()
  await list.signUp(addresses(20), { agreed: true })
  const id = await list.send({ subject: 'News', words: 'Hello' })
  list.mailer.answer(() => temporary)
  await list.deliver()
  await run(
    list.database,
    sql`update deliveries set state = 'failed', finished_at = 1 where id > 10`,
  )
  await run(list.database, sql`update mailings set failed = 10`)
  await changeMailing(list.database, id, { act: 'pause', now: list.now() })
  const owner = ownerOf(list.url, {}, { now: list.now })
  expect((await owner('deliveries', 'retry', 'failed')).printed).toBe(
    '10 mails wait: the letter is paused.\n',
  )
  expect((await owner('deliveries', 'retry', '1')).aside).toBe(
    'This mail is held back. The letter is paused.\n',
  )
  expect((await owner('deliveries', 'retry', 'held')).printed).toBe('0 mails go out again.\n')
  expect(await list.deliver()).toBe(0)
  expect(await list.database.rows(sql`select distinct state from deliveries`)).toEqual([
    { state: 'held' },
  ])
  expect(await list.database.row(sql`select failed from mailings where id = ${id}`)).toEqual({
    failed: 0,
  })
})

test('a letter that came back goes out after a retry, and later letters reach the person: the consent holds', async () => {
  const list = await makeMailingList()
  await list.signUp(['ada@example.com'], { agreed: true })
  await list.send({ subject: 'First', words: 'Hello' })
  list.mailer.answer(() => permanent)
  await list.deliver()
  expect(await subscriberStates(list.database)).toEqual({ 'ada@example.com': 'undeliverable' })

  list.mailer.answer(() => accepted)
  const owner = ownerOf(list.url, {}, { now: list.now })
  await owner('deliveries', 'retry', 'failed')
  expect(await list.deliver()).toBe(1)
  await list.send({ subject: 'Second', words: 'Hello' })
  expect(await list.deliver()).toBe(1)
  expect(await deliveryStates(list.database)).toEqual(['sent', 'sent'])
})

test('starter mails that a restore holds go out when the owner says so', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com')
  await run(database, sql`update deliveries set state = 'held'`)
  expect((await owner('deliveries', 'retry', 'failed')).printed).toBe('0 mails go out again.\n')
  expect((await owner('deliveries', 'retry', 'held')).printed).toBe('1 mail goes out again.\n')
  expect(await database.rows(sql`select state, due_at from deliveries`)).toEqual([
    { state: 'queued', due_at: ownerNow },
  ])
})

test.skipIf(!testsRunOnPostgres)(
  '(PostgreSQL only) a delivery that a worker claims during a retry is not sent twice',
  async () => {
    const { database } = await openOwnerTerminal()
    const id = await subscribe(database, 'ada@example.com')
    const claimed = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    const claiming = database.transaction(async (transaction) => {
      await transaction.run(sql`update deliveries set state = 'sending', worker = 'w'`)
      claimed.resolve()
      await commit.promise
    })
    await claimed.promise
    const recordEvent = async () => {}
    const retrying = retry({ database, now: () => ownerNow, recordEvent }, [id])
    // Its answer may arrive before that of the commit.
    const refused = expect(retrying).rejects.toThrow('This mail is going out.')
    await eventually('the retry waits for the worker', async () => {
      const waiting = sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `
      return (await database.row(waiting)) !== undefined
    })
    commit.resolve()
    await claiming
    await refused
    expect(await database.rows(sql`select state, worker from deliveries`)).toEqual([
      { state: 'sending', worker: 'w' },
    ])
  },
)

test('a sent delivery is not sent again, and the command says why', async () => {
  const { database, owner } = await openOwnerTerminal()
  const id = await subscribe(database, 'ada@example.com', 'sent')
  expect(await owner('deliveries', 'retry', String(id))).toEqual({
    code: 1,
    printed: '',
    aside: 'This mail was sent. A new sign-up sends the mail again.\n',
  })
  expect((await owner('deliveries', 'retry', '4711')).aside).toBe('There is no mail 4711.\n')
  expect((await owner('deliveries', 'retry', 'all')).aside).toContain(
    'It must be a whole number of at least 1.',
  )
})

async function run(database: Database, query: ReturnType<typeof sql>): Promise<void> {
  await database.transaction((transaction) => transaction.run(query))
}
