import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { eventually } from '#rigs/eventually.ts'
import { accepted, permanent, relayAway } from '#rigs/mail/programmable-mailer.ts'
import { deskApp, signedIn } from '#rigs/owner/test-desk.ts'
import type { TestApp } from '#rigs/server/test-app.ts'
import { runJobs } from '#owner/acts/jobs/run-jobs.ts'
import { retryAct } from './retry-deliveries.ts'

const minuteMs = 60_000

test('the state of the mail follows the last refusal and the last hand-over', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  app.mailer.answer(() => relayAway)
  await app.signUp('ada@example.com')
  await eventually(
    'the relay is seen as away',
    async () => (await desk.mail.show.query()).mail.trouble !== null,
  )
  expect(await desk.mail.show.query()).toMatchObject({
    mail: { trouble: { kind: 'away', why: expect.any(String) }, lastSentAt: null },
    waiting: 1,
    failed: 0,
    reasons: [{ count: 1 }],
  })
  app.clock.advance(12 * minuteMs)
  const stuck = await desk.mail.show.query()
  expect(stuck.mail.trouble?.kind).toBe('stuck')
  app.mailer.answer(() => ({ kind: 'accepted' }))
  app.later(60 * minuteMs)
  await untilOne(app, 'sent')
  expect((await desk.mail.show.query()).mail.trouble).toBeNull()
})

test('mail that has failed goes out when it is tried again', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  app.mailer.answer(() => permanent)
  await app.signUp('ada@example.com')
  await untilOne(app, 'failed')
  app.mailer.answer(() => accepted)
  const { mails } = await desk.mail.list.query({ state: 'failed' })
  await desk.mail.retry.mutate({ ids: mails.map(({ id }) => id) })
  await untilOne(app, 'sent')
})

test('all failed mail that another try may help goes out again, and dead mailboxes stay off the list', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  app.mailer.answer((address) => ({
    ...permanent,
    why: address === 'dead@example.com' ? 'smtp 550 5.1.1 to RCPT TO' : 'smtp 554 to DATA',
  }))
  for (const address of ['dead@example.com', 'fine@example.com']) await app.signUp(address)
  await eventually('both mails fail', async () => (await desk.mail.show.query()).failedInAll === 2)
  app.mailer.answer(() => accepted)
  await desk.mail.retryHopeful.mutate()
  const none = async () => ({})
  const acts = { import: none, 'undo-import': none, suppress: none, retry: retryAct(app.context) }
  await runJobs(app.database, acts, app.clock.now)
  app.context.wakeDeliveries()
  await eventually('one mail is sent', async () => app.mailer.attempts.length === 3)
  expect(await app.database.rows(sql`select address, state from subscribers order by id`)).toEqual([
    { address: 'dead@example.com', state: 'undeliverable' },
    { address: 'fine@example.com', state: 'active' },
  ])
})

test('all mail that has failed is counted, also what failed longer ago than a week', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  app.mailer.answer((address) => (address === 'ada@example.com' ? permanent : accepted))
  await app.signUp('ada@example.com')
  await untilOne(app, 'failed')
  expect(await desk.mail.show.query()).toMatchObject({ failed: 1, failedInAll: 1 })
  app.clock.advance(8 * 24 * 60 * minuteMs)
  const later = await signedIn(app)
  expect(await later.desk.mail.show.query()).toMatchObject({ failed: 0, failedInAll: 1 })
})

test('sent mail comes in pages of 50, newest first', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await app.signUp('first@example.com')
  await untilOne(app, 'sent')
  await app.database.transaction((transaction) =>
    transaction.run(sql`
      insert into deliveries (subscriber, message_id, template, state, priority, due_at, queued_at, finished_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 59)
      select d.subscriber, 'm' || n, d.template, 'sent', 0, 0, 0, 0 from deliveries d, numbers`),
  )
  const first = await desk.mail.list.query({ state: 'sent' })
  expect([first.mails.length, first.hasMore]).toEqual([50, true])
  const second = await desk.mail.list.query({ state: 'sent', below: first.mails.at(-1)!.id })
  expect([second.mails.length, second.hasMore]).toEqual([10, false])
})

test('of more waiting mail than a view shows 200 are listed, with the number of all', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  app.mailer.answer(() => relayAway)
  await app.signUp('ada@example.com')
  await eventually('the mail waits', async () => (await desk.mail.show.query()).waiting === 1)
  await app.change(sql`
    insert into deliveries (subscriber, message_id, template, state, priority, due_at, queued_at)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 249)
    select d.subscriber, 'm' || n, d.template, 'queued', 0, d.due_at + 999999, d.queued_at
    from deliveries d, numbers`)
  const { mails, hasMore } = await desk.mail.list.query({ state: 'waiting' })
  expect([mails.length, hasMore]).toEqual([200, true])
  expect((await desk.mail.show.query()).waiting).toBe(250)
})

async function untilOne({ database }: TestApp, state: string): Promise<void> {
  const one = sql`select 1 from deliveries where state = ${state}`
  await eventually(`a mail is ${state}`, async () => (await database.row(one)) !== undefined)
}
