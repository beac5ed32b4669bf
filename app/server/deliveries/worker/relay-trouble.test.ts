import { describe, expect, onTestFinished, test } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import {
  expectAll,
  heldUp,
  queue,
  refusedMail,
  states,
  throttled,
} from '#rigs/server/mail-queue.ts'
import { addresses } from '#rigs/server/people.ts'
import { deliveriesIn, deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { writeSiteSettings } from '../../settings/site-settings.ts'
import type { SendOutcome } from '../../transports/mailer.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('while the relay is away', () => {
  test('single mails probe it, no delivery fails for 33 hours, and then all are sent', async () => {
    const app = await testApp({ config: { retrySeconds: [60] } })
    app.mailer.answer(() => relayAway)
    await queue(app, addresses(20))
    for (let hour = 1; hour <= 33; hour += 1) {
      const before = app.mailer.attempts.length
      app.later(hourMs)
      await expect.poll(app.passing(() => app.mailer.attempts.length)).toBeGreaterThan(before)
    }
    expect(app.mailer.attempts.length).toBeLessThan(80)
    const mails = await deliveriesIn(app.database)
    expect(new Set(mails.map(({ failures }) => failures))).toEqual(new Set([0]))
    // The outcome of an earlier probe may not be written yet.
    const probes = async () =>
      (await deliveriesIn(app.database)).filter(({ state }) => state === 'sending').length
    await expect.poll(probes).toBeLessThanOrEqual(1)
    expect(new Set(Object.values(await subscriberStates(app.database)))).toEqual(
      new Set(['active']),
    )
    app.mailer.answer(() => accepted)
    app.later(hourMs)
    await expectAll(app, 'sent')
  })
})

test.each<[string, SendOutcome]>([
  ['accepted', accepted],
  ['refused', permanent],
  ['deferred', temporary],
])('a relay that was away gets all that is due once one mail is %s', async (_how, answer) => {
  const app = await testApp()
  app.mailer.answer(() => relayAway)
  await queue(app, ['ada@example.com'])
  await heldUp(app)
  app.mailer.answer(() => answer)
  await queue(app, addresses(3))
  app.later(250)
  await expect.poll(() => new Set(app.mailer.addresses()).size).toBe(4)
})

describe('a mail that is refused while others are taken', () => {
  test('waits for five days, holds up nobody, and then has failed; its person stays on the list', async () => {
    const app = await testApp()
    app.mailer.answer((address) => (address.startsWith('ada') ? refusedMail : accepted))
    await queue(app, ['ada@example.com'])
    for (let day = 1; day <= 5; day += 1) {
      await queue(app, [`other-${day}@example.com`])
      await expect.poll(app.passing(() => states(app, 'sent'))).toBe(day)
      expect(await states(app, 'queued')).toBe(1)
      const tried = app.mailer.attempts.length
      app.later(25 * hourMs)
      await expect.poll(app.passing(() => app.mailer.attempts.length)).toBeGreaterThan(tried)
    }
    await queue(app, ['last@example.com'])
    await expect.poll(app.passing(() => states(app, 'sent'))).toBe(6)
    app.later(25 * hourMs)
    await expect.poll(app.passing(() => deliveryStates(app.database))).toContain('failed')
    expect(Object.values(await subscriberStates(app.database))).not.toContain('undeliverable')
  })

  test('is sent if the relay takes it after more than five days, and does not fail while the relay is away', async () => {
    const app = await testApp()
    app.mailer.answer((address) => (address.startsWith('ada') ? refusedMail : accepted))
    await queue(app, ['ada@example.com'])
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    await queue(app, ['other@example.com'])
    await expect.poll(app.passing(() => states(app, 'sent'))).toBe(1)
    for (const answer of [relayAway, accepted]) {
      app.mailer.answer(() => answer)
      const tried = app.mailer.attempts.length
      app.later(6 * 24 * hourMs)
      await expect.poll(app.passing(() => app.mailer.attempts.length)).toBeGreaterThan(tried)
      expect(await states(app, 'failed')).toBe(0)
    }
    await expectAll(app, 'sent')
  })

  test('never fails while the relay takes none', async () => {
    const app = await testApp()
    app.mailer.answer(() => refusedMail)
    await queue(app, addresses(3))
    for (let day = 1; day <= 8; day += 1) {
      const tried = app.mailer.attempts.length
      app.later(25 * hourMs)
      await expect.poll(app.passing(() => app.mailer.attempts.length)).toBeGreaterThan(tried)
    }
    app.mailer.answer(() => accepted)
    app.later(hourMs)
    await expect.poll(app.passing(() => states(app, 'sent'))).toBe(3)
  })
})

describe('a relay that takes one mail a second', () => {
  test('gets all of them, a few of them twice, and no mail uses up a try', async () => {
    const app = await testApp({ config: { retrySeconds: [1] } })
    let takenAt = 0
    app.mailer.answer(() => {
      if (app.clock.now() - takenAt < 1_000) return throttled
      takenAt = app.clock.now()
      return accepted
    })
    await queue(app, addresses(20))
    await expect
      .poll(async () => {
        app.later(500)
        return states(app, 'sent')
      })
      .toBe(20)
    expect(app.mailer.attempts.length).toBeLessThan(40)
    expect(new Set((await deliveriesIn(app.database)).map(({ failures }) => failures))).toEqual(
      new Set([0]),
    )
  })
})

describe('mails that the relay does not answer', () => {
  const mute = addresses(8).map((address) => `mute-${address}`)

  test('give their places to others once their time is over', async () => {
    const app = await testApp({ config: { mailTimeoutSeconds: 30 } })
    app.mailer.hold('mute')
    await queue(app, mute)
    await expect.poll(() => app.mailer.attempts).toHaveLength(4)
    await app.signUp('visitor@example.com')
    const from = app.clock.now()
    await expect
      .poll(() => {
        app.later(1_000)
        return app.mailer.attempts.length
      })
      .toBeGreaterThan(4)
    expect(app.clock.now() - from).toBeGreaterThanOrEqual(30_000)
    await expect.poll(() => app.mailer.attempts).toHaveLength(8)
    app.later(31_000)
    await expect.poll(() => app.mailer.addresses()).toContain('visitor@example.com')
    await expect.poll(() => states(app, 'sent')).toBe(1)
    expect(await states(app, 'sending')).toBe(8)
  })

  test('do not hold up the service that the owner switches to, and what the former one refused is due', async () => {
    const [former, next] = [await startSmtpInbox(), await startSmtpInbox()]
    onTestFinished(async () => void (await Promise.all([former.close(), next.close()])))
    const app = await testApp({
      config: { smtpUrl: former.url, source: {}, mailTimeoutSeconds: 600 },
      parts: { mailer: undefined },
    })
    former.behave((recipient) =>
      recipient.startsWith('mute')
        ? { does: 'stay-mute', at: 'data' }
        : { does: 'answer', code: 550, to: 'recipient', words: '5.7.1 Not allowed' },
    )
    await queue(app, ['first@example.com', ...mute.slice(0, 4)])
    await expect.poll(app.passing(() => former.mails.length)).toBe(4)
    await queue(app, ['visitor@example.com'])
    await app.database.transaction((transaction) =>
      writeSiteSettings(transaction, { SMTP_URL: next.url }),
    )
    await app.context.settings.refresh()
    await next.arrival(6)
    await expectAll(app, 'sent')
  })
})

describe('while the relay refuses all that waits, sender and all', () => {
  test('four visitors are mailed within seconds, and the backlog does not stand still', async () => {
    const app = await testApp({ config: { mailConcurrency: 4 } })
    app.mailer.answer((address) => (address.startsWith('n') ? refusedMail : accepted))
    await queue(app, addresses(30), 1)
    await expect.poll(app.passing(() => app.mailer.attempts.length)).toBeGreaterThan(3)
    for (const visitor of ['a', 'b', 'c', 'd']) await queue(app, [`${visitor}@example.com`], 1)
    const from = app.clock.now()
    await expect
      .poll(async () => {
        app.later(250)
        return states(app, 'sent')
      })
      .toBe(4)
    expect(app.clock.now() - from).toBeLessThan(60_000)
    await expect
      .poll(() => {
        app.later(5_000) // the longest pace of the probes
        return new Set(app.mailer.addresses()).size
      })
      .toBe(34)
  })
})
