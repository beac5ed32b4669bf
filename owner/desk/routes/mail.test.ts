import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { subscribe } from '#rigs/owner/owner-terminal.ts'
import { deskApp, signedIn } from '#rigs/owner/test-desk.ts'
import { relayAway } from '#rigs/mail/programmable-mailer.ts'
import type { TestApp } from '#rigs/server/test-app.ts'

const minuteMs = 60_000

test('failed mail is listed with its reason in words, and retried once', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  const failed = await subscribe(app.database, 'ada@example.com', 'failed')
  const [left] = [await subscribe(app.database, 'ben@example.com', 'failed')]
  await setState(app, 'ben@example.com', 'unsubscribed')
  const { body } = await desk.call('GET mail/list', { state: 'failed' })
  expect(body.mails).toMatchObject([
    { id: left, address: 'ben@example.com', canRetry: false },
    {
      id: failed,
      address: 'ada@example.com',
      canRetry: true,
      reason: { words: 'There is no such mailbox.' },
    },
  ])
  const retried = await desk.call('POST mail/retry', { ids: [failed, left, 999] })
  expect(retried.body).toEqual({ retried: [failed] })
  const { body: audit } = await desk.call('GET audit', {})
  expect(audit.acts[0]).toMatchObject({ act: 'mail-retried', about: `${failed},${left},999` })
})

test('the state of the mail says why it waits, since when, and how much waited every five minutes', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  app.mailer.answer(() => relayAway)
  await app.signUp('ada@example.com')
  app.clock.advance(12 * minuteMs)
  const { body } = await desk.call('GET mail', {})
  expect(body).toMatchObject({
    trouble: { kind: 'stuck', reason: { helps: 'owner' } },
    lastSentAt: null,
    counts: { waiting: 1, failed: 0 },
    reasons: [{ count: 1 }],
  })
  expect(body.waitingByFiveMinutes).toHaveLength(144)
  expect(body.waitingByFiveMinutes.slice(-4).map(({ count }) => count)).toEqual([0, 1, 1, 1])
  const { body: list } = await desk.call('GET mail/list', { state: 'waiting' })
  expect(list).toMatchObject({ mails: [{ address: 'ada@example.com', kind: 'sign-up' }], hasMore: false })
})

test('sent mail comes in pages of 50, newest first', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  await subscribe(app.database, 'p0@example.com', 'sent')
  const { rows } = await sql<{ subscriber: number; template: string }>`
    select subscriber, template from deliveries`.execute(app.database.query)
  const sent = {
    ...rows[0]!,
    message_id: '',
    state: 'sent',
    due_at: 0,
    queued_at: 0,
    finished_at: 0,
  } as const
  await app.database.query
    .insertInto('deliveries')
    .values(Array.from({ length: 59 }, () => sent))
    .execute()
  expect((await desk.call('GET mail', {})).body.lastSentAt).toBeGreaterThan(0)
  const first = (await desk.call('GET mail/list', { state: 'sent' })).body
  expect([first.mails.length, first.hasMore]).toEqual([50, true])
  const second = (await desk.call('GET mail/list', { state: 'sent', below: first.mails.at(-1)!.id })).body
  expect(second.mails.map(({ address }) => address)).toContain('p0@example.com')
  expect([second.mails.length, second.hasMore]).toEqual([10, false])
})

async function setState({ database }: TestApp, identity: string, state: 'unsubscribed') {
  await database.query.updateTable('subscribers').set({ state }).where('identity', '=', identity).execute()
}
