import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { expectAll, expectWait, heldUp, queue } from '#rigs/server/mail-queue.ts'
import { addresses } from '#rigs/server/people.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { countRows, deliveriesIn, deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import { act, countsIn, emptyExtension, testApp } from '#rigs/server/test-app.ts'
import { noon } from '#rigs/server/test-clock.ts'
import type { SendOutcome } from '../../transports/mailer.ts'
import { leaseMs, mailingPriority } from '../deliveries.ts'
import type { MailingRules, MayGo } from '../mailing-rules.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('a mail', () => {
  test('that its recipient defers is tried again on the schedule, with the same message, and then fails; nobody is taken off', async () => {
    const app = await testApp({ config: { retrySeconds: [60, 300] } })
    app.mailer.answer(() => temporary)
    let since = app.clock.now()
    await app.signUp('ada@example.com')
    for (const [failures, waitMs] of [
      [1, minuteMs],
      [2, 5 * minuteMs],
    ] as const) {
      await expect
        .poll(() => deliveriesIn(app.database))
        .toMatchObject([{ state: 'queued', failures }])
      const [mail] = await deliveriesIn(app.database)
      expect(mail).toMatchObject({ last_fault: '451' })
      expectWait(app, mail, { waitMs, since })
      app.later(waitMs)
      since = app.clock.now()
    }
    await expect.poll(() => deliveryStates(app.database)).toEqual(['failed'])
    expect(app.log()).toMatch(/"event":"delivery postponed","delivery":1,"why":"451","until":"20/)
    await expect
      .poll(app.log)
      .toMatch(/"level":"warn",.*"event":"delivery failed","delivery":1,"why":"451"}/)
    expect(await subscriberStates(app.database)).toEqual({ 'ada@example.com': 'active' })
    const [first, ...more] = app.mailer.attempts.map(({ message }) => message)
    expect(more).toEqual([first, first])
    expect(await app.countsAtStop()).toMatchObject({ 'failed gave-up': 1 })
  })

  test('that the relay held up waits, and uses up no try', async () => {
    const app = await testApp({ config: { retrySeconds: [60] }, parts: { random: () => 0.5 } })
    app.mailer.answer(() => ({ ...relayAway, progress: 'body-sent' }))
    const since = app.clock.now()
    await queueMails(app.database, ['ada@example.com'], { now: since - 2 * hourMs })
    app.context.wakeDeliveries()
    const [mail] = await heldUp(app)
    expect(mail).toMatchObject({ failures: 0 })
    expectWait(app, mail, { waitMs: 1.1 * 2 * hourMs, since })
  })

  test('that the stop of the server broke off is due at once, and counts for nothing', async () => {
    const app = await testApp({ config: { retrySeconds: [60] } })
    const sending = app.mailer.hold()
    await queue(app, ['ada@example.com'])
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    sending({ kind: 'broken-off', why: 'EABORT', cause: new Error('closed') })
    app.mailer.hold()
    await expect.poll(() => app.mailer.attempts).toHaveLength(2)
    expect(app.log()).not.toContain('postponed')
    const [mail] = await deliveriesIn(app.database)
    expect(mail).toMatchObject({ failures: 0, last_fault: null })
  })

  test('that its recipient refuses takes them off the list until they sign up again', async () => {
    const app = await testApp()
    app.mailer.answer(() => permanent)
    await app.signUp('ada@example.com')
    await expect.poll(() => deliveryStates(app.database)).toEqual(['failed'])
    expect(await subscriberStates(app.database)).toEqual({ 'ada@example.com': 'undeliverable' })
    app.mailer.answer(() => accepted)
    expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({
      alreadyExists: false,
    })
    await expect.poll(() => app.mailer.attempts).toHaveLength(2)
    const [first, second] = app.mailer.attempts.map(({ message }) => message.messageId)
    expect(second).not.toBe(first)
  })

  test('that is refused for good fails at once; the reason is kept without the address', async () => {
    const app = await testApp()
    app.mailer.answer(() => permanent)
    await app.signUp('ada@example.com')
    await expect
      .poll(() => deliveriesIn(app.database))
      .toMatchObject([{ state: 'failed', last_fault: '550', failures: 0 }])
    expect(await subscriberStates(app.database)).toEqual({ 'ada@example.com': 'undeliverable' })
    expect(await app.countsAtStop()).toMatchObject({ 'failed refused': 1, bounced: 1 })
    expect(app.log()).toContain('delivery failed')
    expect(app.log()).not.toContain('ada')
  })

  test.each<[string, SendOutcome]>([
    ['accepted', accepted],
    ['refused', permanent],
  ])(
    'that is %s after its subscriber was erased changes nothing for the next one',
    async (_what, outcome) => {
      const app = await testApp()
      const sending = app.mailer.hold('ada')
      await app.signUp('ada@example.com')
      await expect.poll(() => app.mailer.attempts).toHaveLength(1)
      await act(app, 'ada@example.com', 'erase')
      await app.signUp('bob@example.com')
      sending(outcome)
      await expectAll(app, 'sent')
      await app.stopServer()
      expect(await subscriberStates(app.database)).toEqual({ 'bob@example.com': 'active' })
      expect(await countRows(app.database)).toEqual({ subscribers: 1, deliveries: 1 })
      expect((await countsIn(app.database))['bounced']).toBeUndefined()
    },
  )

  test.each(['unsubscribe', 'block', 'erase'])('is not tried again after %s', async (action) => {
    const app = await testApp({ config: { retrySeconds: [60] } })
    const sending = app.mailer.hold()
    await app.signUp('ada@example.com')
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    await act(app, 'ada@example.com', action)
    sending(temporary)
    if (action !== 'erase') {
      await expect.poll(() => deliveryStates(app.database)).toEqual(['queued'])
    }
    app.later(2 * minuteMs)
    await expect
      .poll(() => deliveryStates(app.database))
      .toEqual(action === 'erase' ? [] : ['cancelled'])
    expect(app.mailer.attempts).toHaveLength(1)
  })

  test('goes to the address as the owner corrected it since the first try', async () => {
    const app = await testApp({ config: { retrySeconds: [60] } })
    app.mailer.answer(() => temporary)
    await queue(app, ['ada@exmaple.com'])
    await expect
      .poll(() => deliveriesIn(app.database))
      .toMatchObject([{ state: 'queued', failures: 1 }])
    await app.change(
      sql`update subscribers set address = 'ada@example.com', identity = 'ada@example.com'`,
    )
    app.mailer.answer(() => accepted)
    app.later(minuteMs)
    await expectAll(app, 'sent')
    expect(app.mailer.addresses()).toEqual(['ada@exmaple.com', 'ada@example.com'])
  })

  test('of a mailing goes only if the rules of mailings let it, and they are told of its end', async () => {
    const dueAt = noon + 24 * hourMs
    const answers: MayGo[] = [{ kind: 'go' }, { kind: 'cancelled' }, { kind: 'put-off', dueAt }]
    const { app, ends } = await appWithLetters(3, (mailing) => answers[mailing - 1]!)
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sent', 'cancelled', 'queued'])
    const [, , putOff] = await deliveriesIn(app.database)
    expect(putOff).toMatchObject({ due_at: dueAt, failures: 0 })
    expect(ends).toEqual(['1 sent'])
  })

  test('that cannot be checked goes once its lease has ended', async () => {
    let isBroken = true
    const { app } = await appWithLetters(1, () => {
      if (isBroken) throw new Error('no answer')
      return { kind: 'go' }
    })
    await expect
      .poll(app.log)
      .toMatch(/"a delivery was not finished, it will go again","delivery":1,"cause"/)
    isBroken = false
    app.later(leaseMs)
    await expectAll(app, 'sent')
  })
})

/** Letters of the mailings 1 to `count` are due. `ends`: what the rules of mailings were told. */
async function appWithLetters(count: number, mayGo: (mailing: number) => MayGo) {
  const ends: string[] = []
  const mailings: MailingRules = {
    mayGo: async (_reader, { mailing }) => mayGo(mailing),
    recordEnd: async (_transaction, mailing, end) => void ends.push(`${mailing} ${end}`),
  }
  const app = await testApp({ extension: { ...emptyExtension, mailings } })
  const now = app.clock.now() + hourMs
  await queueMails(app.database, addresses(count), { priority: mailingPriority, now })
  await app.change(sql`update deliveries set mailing = id`)
  app.later(2 * hourMs)
  return { app, ends }
}
