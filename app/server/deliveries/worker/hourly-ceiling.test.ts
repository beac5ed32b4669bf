import { describe, expect, test } from 'vitest'
import { accepted, permanent } from '#rigs/mail/programmable-mailer.ts'
import { expectAll, queue, states } from '#rigs/server/mail-queue.ts'
import { addresses } from '#rigs/server/people.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'
import { claimMails, leaseMs, mailingPriority } from '../deliveries.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('the ceiling of an hour', () => {
  test('makes mail wait, and is counted', async () => {
    const app = await testApp({ config: { siteMailsPerHour: 4, mailConcurrency: 2 } })
    await queue(app, addresses(6))
    await expect.poll(() => states(app, 'sent')).toBe(4)
    await queue(app, ['one-more@example.com'])
    expect(await claim(app)).toEqual({ mails: [], isFull: true })
    expect(await states(app, 'queued')).toBe(3)
    app.later(hourMs + minuteMs)
    await expect.poll(() => states(app, 'sent')).toBe(7)
    expect(await app.countsAtStop()).toMatchObject({ 'limit-hit site': 1, delivered: 7 })
  })

  test('slides: no hour has more mail than the ceiling', async () => {
    const app = await testApp({ config: { siteMailsPerHour: 4 } })
    await queue(app, addresses(1))
    await expect.poll(() => states(app, 'sent')).toBe(1)
    app.clock.advance(40 * minuteMs)
    await queue(app, addresses(9))
    await expect.poll(() => states(app, 'sent')).toBe(4)
    app.later(21 * minuteMs)
    await expect.poll(() => states(app, 'sent')).toBe(5)
    app.clock.advance(39 * minuteMs)
    expect(await claim(app)).toEqual({ mails: [], isFull: true })
    expect(await states(app, 'queued')).toBe(5)
    app.later(minuteMs)
    await expect.poll(() => states(app, 'sent')).toBe(8)
  })

  test('keeps a quarter for quiet networks, whatever mail has used the rest', async () => {
    const app = await testApp({ config: { siteMailsPerHour: 8 } })
    await queue(app, ['quiet-1@example.com', 'quiet-2@example.com'])
    await queue(app, ['news@example.com', 'offer@example.com'], mailingPriority)
    await expect.poll(() => states(app, 'sent')).toBe(4)
    await queue(app, ['busy-1@example.com', 'busy-2@example.com', 'busy-3@example.com'], 1)
    await expect.poll(() => states(app, 'sent')).toBe(6)
    await queue(app, ['quiet-3@example.com', 'quiet-4@example.com'])
    await expect.poll(() => app.mailer.addresses()).toContain('quiet-4@example.com')
    expect(app.mailer.addresses()).not.toContain('busy-3@example.com')
  })

  test('is used to the last by quiet networks', async () => {
    const app = await testApp({ config: { siteMailsPerHour: 4 } })
    await queue(app, addresses(5))
    await expect.poll(() => states(app, 'sent')).toBe(4)
  })

  test('makes the mail of busy networks late: it goes when the hour has room again', async () => {
    const app = await testApp({ config: { siteMailsPerHour: 4 } })
    await queue(app, addresses(4))
    await expect.poll(() => states(app, 'sent')).toBe(4)
    await queue(app, ['busy@example.com'], 1)
    await queue(app, ['quiet-1@example.com', 'quiet-2@example.com'])
    app.later(hourMs + minuteMs)
    await expect.poll(() => states(app, 'sent')).toBe(7)
    expect(app.mailer.addresses()).toContain('busy@example.com')
  })

  test('is not used up by workers that died, and counts what is being sent', async () => {
    const app = await testApp({ config: { siteMailsPerHour: 4 } })
    await app.stopServer()
    await queueMails(app.database, addresses(10), { now: app.clock.now() })
    for (const worker of ['first', 'second', 'third', 'fourth', 'fifth']) {
      expect((await claim(app, { worker })).mails).toHaveLength(4)
      app.clock.advance(leaseMs - 1)
      expect(await claim(app)).toEqual({ mails: [], isFull: true })
      app.clock.advance(1)
    }
  })

  test('counts what was sent, not what was refused', async () => {
    const app = await testApp({ config: { siteMailsPerHour: 4 } })
    app.mailer.answer((address) => (address.startsWith('refused') ? permanent : accepted))
    await queue(app, ['refused-1@example.com', 'refused-2@example.com', ...addresses(4)])
    await expect.poll(() => states(app, 'sent')).toBe(4)
  })

  test('survives a restart with a lower one', async () => {
    const app = await testApp({ config: { siteMailsPerHour: 2 } })
    await queue(app, ['ada@example.com', 'bob@example.com'])
    await expectAll(app, 'sent')
    await app.stopServer()
    await queueMails(app.database, ['cyd@example.com'], { now: app.clock.now() })
    expect(await claim(app, { ceiling: 1 })).toEqual({ mails: [], isFull: true })
  })
})

/** Claims as another worker does, now. */
function claim({ database, clock }: TestApp, { worker = 'another', ceiling = 4 } = {}) {
  const order = { worker, now: clock.now(), maxMails: 4, maxAbove0: 4, ceiling }
  return database.transaction((transaction) => claimMails(transaction, order))
}
