import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '#rigs/eventually.ts'
import { type SmtpInbox, startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { deliveriesIn, deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import { stubSite } from '#rigs/server/stub-pages.ts'
import { type TestApp, type TestAppOptions, testApp } from '#rigs/server/test-app.ts'
import { createSmtpMailer } from '../../transports/smtp-mailer.ts'
import { leaseMs } from '../deliveries.ts'

const minuteMs = 60_000

test('a second try has the same bytes: after a temporary refusal, a cut line, and an update of the product', async () => {
  const { app, inbox } = await appWithRelay()
  inbox.behave({ does: 'cut-before-answer' })
  await app.signUp('ada@example.com')
  await tried(app, { failures: 0, last_fault: 'ECONNECTION' })
  inbox.behave({ does: 'answer', code: 451, to: 'recipient' })
  app.later(leaseMs + 5 * minuteMs)
  await tried(app, { failures: 1, last_fault: 'smtp 451 to RCPT TO' })
  await app.stopServer()
  const mail = {
    ...shortTemplate,
    subject: 'Another subject',
    text: 'other words {scriptUrl}',
  }
  const updated = await appWithRelay(
    {
      databaseUrl: app.databaseUrl,
      built: { mails: { ...stubSite().mails, starter: mail } },
    },
    inbox,
  )
  inbox.behave({ does: 'accept' })
  updated.app.later(2 * 60 * minuteMs)
  const [first, second] = await inbox.arrival(2)
  expect(first!.answered).toBe(false)
  expect(second!.raw.equals(first!.raw), second!.raw.toString()).toBe(true)
  await updated.app.signUp('bob@example.com')
  const [, , third] = await inbox.arrival(3)
  expect(third!.raw.toString()).toContain('Subject: Another subject')
})

test('a relay that denies all for four days loses no mail and takes nobody off the list', async () => {
  const { app, inbox } = await appWithRelay()
  inbox.behave({ does: 'answer', code: 554, to: 'recipient', words: 'Relay access denied' })
  for (const name of ['ada', 'bob']) await app.signUp(`${name}@example.com`)
  for (let turn = 0; turn < 8; turn += 1) {
    const before = inbox.refusals
    await eventually(
      'the relay is tried again',
      app.passing(() => inbox.refusals > before),
    )
    await expect.poll(() => deliveryStates(app.database)).toEqual(['queued', 'queued'])
    app.later(12 * 60 * minuteMs)
  }
  const waits = { state: 'queued', failures: 0 }
  await expect.poll(() => deliveriesIn(app.database)).toMatchObject([waits, waits])
  const active = { 'ada@example.com': 'active', 'bob@example.com': 'active' }
  expect(await subscriberStates(app.database)).toEqual(active)
  inbox.behave({ does: 'accept' })
  app.later(60 * minuteMs)
  const arrived = () => new Set(inbox.mails.flatMap(({ to }) => to))
  await expect.poll(app.passing(arrived)).toEqual(new Set(Object.keys(active)))
})

test('an attempt that the stop of the server breaks off uses up no try, and goes again at once', async () => {
  const { app, inbox } = await appWithRelay({
    config: { retrySeconds: [60] },
    waits: { graceMs: 200 },
  })
  inbox.behave({ does: 'stay-mute', at: 'data' })
  await app.signUp('ada@example.com')
  await inbox.arrival(1)
  await app.stopServer()
  expect(await deliveriesIn(app.database)).toMatchObject([
    { state: 'queued', failures: 0, last_fault: null },
  ])
  inbox.behave({ does: 'accept' })
  await appWithRelay({ databaseUrl: app.databaseUrl }, inbox)
  await inbox.arrival(2)
})

test('while the relay is gone nothing is lost, and one poisoned recipient holds up nobody', async () => {
  const { app, inbox } = await appWithRelay()
  inbox.behave((recipient) =>
    recipient.startsWith('poison')
      ? { does: 'answer', code: 550, to: 'recipient', words: 'No such user' }
      : { does: 'accept' },
  )
  await inbox.close()
  const names = Array.from({ length: 20 }, (_, index) =>
    index === 3 ? 'poison@example.com' : `n${index}@example.com`,
  )
  for (const name of names) expect((await app.signUp(name)).status).toBe(200)
  await eventually('the relay is known to be away', () => app.log().includes('ECONNREFUSED'))
  await inbox.reopen()
  await expect
    .poll(app.passing(async () => new Set(await deliveryStates(app.database))))
    .toEqual(new Set(['sent', 'failed']))
  expect((await subscriberStates(app.database))['poison@example.com']).toBe('undeliverable')
  expect(new Set(inbox.mails.map(({ messageId }) => messageId)).size).toBe(19)
})

async function appWithRelay(options: TestAppOptions = {}, known?: SmtpInbox) {
  const inbox = known ?? (await startSmtpInbox())
  if (!known) onTestFinished(() => inbox.close())
  const mailer = createSmtpMailer({
    url: inbox.url,
    timeoutMs: 30_000,
    finalReplyTimeoutMs: 30_000,
  })
  return { app: await testApp({ ...options, mailer }), inbox }
}

async function tried(app: TestApp, mail: { failures: number; last_fault: string }) {
  await expect.poll(() => deliveriesIn(app.database)).toMatchObject([{ state: 'queued', ...mail }])
}
