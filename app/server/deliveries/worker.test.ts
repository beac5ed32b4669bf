import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { countRows, deliveriesIn, deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import { act, countsIn, emptyExtension, type TestApp, testApp } from '#rigs/server/test-app.ts'
import { writeSiteSettings } from '../settings/site-settings.ts'
import type { SendOutcome } from '../transports/mailer.ts'
import type { MailingRules } from './mailing-rules.ts'
import { claimMails, leaseMs, mailingPriority, type Priority } from './deliveries.ts'
import { readMailFlow } from './mail-state.ts'

const throttled: SendOutcome = {
  kind: 'relay-fault',
  why: 'smtp 450 4.7.1 to RCPT TO',
  progress: 'mail-begun',
  cause: new Error('450 4.7.1 Too fast'),
}
const refusedMail: SendOutcome = {
  kind: 'relay-fault',
  why: 'smtp 554 5.7.1 to DATA',
  progress: 'mail-begun',
  cause: new Error('554 5.7.1 Rejected as spam'),
}
const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('the worker', () => {
  test('sends many mails once each, and no more at a time than allowed', async () => {
    const app = await testApp()
    let atOnce = 0
    let most = 0
    const four = Promise.withResolvers<void>()
    app.mailer.answer(async () => {
      most = Math.max(most, (atOnce += 1))
      if (atOnce === 4) four.resolve()
      await four.promise
      await new Promise(setImmediate)
      atOnce -= 1
      return accepted
    })
    await queue(app, addresses(100))
    await expectAll(app, 'sent')
    expect(app.mailer.addresses().toSorted()).toEqual(addresses(100).toSorted())
    expect(most).toBe(4)
  })

  test('is not held up by recipients whose mail is refused, postponed or unanswered', async () => {
    const app = await testApp()
    const mute = Promise.withResolvers<SendOutcome>()
    app.mailer.answer((address) => {
      if (address.startsWith('mute')) return mute.promise
      if (address.startsWith('refused')) return permanent
      return address.startsWith('later') ? temporary : accepted
    })
    await queue(app, [
      'mute@example.com',
      'refused@example.com',
      'later@example.com',
      ...addresses(60),
    ])
    const others = addresses(60).map(() => 'sent')
    await expect
      .poll(() => deliveryStates(app.database))
      .toEqual(['sending', 'failed', 'queued', ...others])
    mute.resolve(accepted)
    await expect
      .poll(() => deliveryStates(app.database))
      .toEqual(['sent', 'failed', 'queued', ...others])
  })

  test('is not held up by mails that cannot be written', async () => {
    const app = await testApp()
    await app.change(sql`insert into mail_templates (hash, content) values ('broken', 'no JSON')`)
    await queueMails(app.database, addresses(5), { now: app.clock.now() + hourMs })
    await app.change(sql`update deliveries set template = 'broken'`)
    app.clock.advance(hourMs)
    await queue(app, ['whole@example.com'])
    await expect.poll(() => app.mailer.addresses()).toEqual(['whole@example.com'])
    await expect.poll(() => app.log()).toMatch(/"a mail cannot be written","delivery":\d/)
    expect((await deliveriesIn(app.database)).at(0)).toMatchObject({
      state: 'queued',
      failures: 0,
      last_fault: 'the mail cannot be written',
    })
    await app.stopServer()
    expect((await readMailFlow(app.database, app.clock.now())).relayAway).toBeUndefined()
  })

  test('stops after the attempts in flight, hands back what it has not tried, and sends nothing more', async () => {
    const app = await testApp()
    const sending = app.mailer.hold()
    await queue(app, addresses(20))
    await expect.poll(() => app.mailer.attempts).toHaveLength(4)
    const stopping = app.stopServer()
    sending(accepted)
    await stopping
    const found = await deliveryStates(app.database)
    expect(found.toSorted()).toEqual([
      ...addresses(16).map(() => 'queued'),
      'sent',
      'sent',
      'sent',
      'sent',
    ])
    expect(app.mailer.attempts).toHaveLength(4)
  })

  test('does not send a mail twice when its lease ends during the attempt', async () => {
    const app = await testApp()
    const sending = app.mailer.hold('slow')
    await queue(app, ['slow@example.com'])
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    app.clock.advance(2 * leaseMs)
    await queue(app, ['next@example.com'])
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sending', 'sent'])
    sending(accepted)
    await expectAll(app, 'sent')
    expect(app.mailer.addresses()).toEqual(['slow@example.com', 'next@example.com'])
  })
})

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
    const ends: string[] = []
    const mailings: MailingRules = {
      mayGo: async (_reader, { mailing }) => ({ kind: mailing === 1 ? 'go' : 'cancelled' }),
      recordEnd: async (_transaction, mailing, end) => void ends.push(`${mailing} ${end}`),
    }
    const extension = { ...emptyExtension, mailings }
    const app = await testApp({ extension })
    const now = app.clock.now() + hourMs
    await queueMails(app.database, ['ada@example.com', 'bob@example.com'], {
      priority: mailingPriority,
      now,
    })
    await app.change(sql`update deliveries set mailing = id`)
    app.later(2 * hourMs)
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sent', 'cancelled'])
    expect(ends).toEqual(['1 sent'])
  })
})

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

describe('the same words about people of three domains within an hour are about us', () => {
  const sameWords = ['ana@one.example', 'bob@two.example', 'cyd@three.example']
  const active = Object.fromEntries(sameWords.map((address) => [address, 'active']))

  test.each<[string, SendOutcome]>([
    ['refused', permanent],
    ['deferred', temporary],
  ])('%s: nobody is off the list, all of it waits, and it uses up no try', async (_how, answer) => {
    const app = await testApp({ config: { retrySeconds: [60, 300] } })
    app.mailer.answer(() => answer)
    for (const address of sameWords) {
      const tried = app.mailer.attempts.length
      await queue(app, [address])
      await expect.poll(() => app.mailer.attempts.length).toBeGreaterThan(tried)
      app.clock.advance(minuteMs / 2)
    }
    await expect
      .poll(() => deliveriesIn(app.database))
      .toMatchObject(sameWords.map(() => ({ state: 'queued', failures: 0 })))
    expect(await subscriberStates(app.database)).toEqual(active)
    const { sameRefusals } = await readMailFlow(app.database, app.clock.now())
    expect(sameRefusals).toMatchObject({ why: 'why' in answer ? answer.why : '' })
    app.mailer.answer(() => accepted)
    app.later(hourMs)
    await expectAll(app, 'sent')
    const counts = await app.countsAtStop()
    expect([counts['bounced'] ?? 0, counts['failed refused'] ?? 0]).toEqual([0, 0])
  })

  test('but not of two domains, nor in other words, nor within two hours', async () => {
    const app = await testApp()
    const refused = (words: string): SendOutcome => ({ ...permanent, words }) as SendOutcome
    const refuse = async (address: string, words: string) => {
      app.mailer.answer(() => refused(words))
      await queue(app, [address])
      const state = async () => (await subscriberStates(app.database))[address]
      await expect.poll(state).toBe('undeliverable')
    }
    await refuse('ana@mail.one.example', 'no such user')
    await refuse('ann@one.example', 'no such user')
    await refuse('bob@two.example', 'no such user')
    await refuse('cyd@three.example', 'unknown user')
    app.clock.advance(2 * hourMs)
    await refuse('dee@four.example', 'no such user')
  })

  test('who came off by it gets what it had cancelled, too', async () => {
    const app = await testApp()
    const [first] = await queueMails(app.database, ['ana@one.example'], {
      now: app.clock.now() + 2 * hourMs,
    })
    app.mailer.answer(() => permanent)
    await queue(app, ['ana@one.example'])
    await expect.poll(() => deliveryStates(app.database)).toEqual(['cancelled', 'failed'])
    await queue(app, ['bob@two.example'])
    await queue(app, ['cyd@three.example'])
    const onList = async () => Object.values(await subscriberStates(app.database))
    await expect.poll(onList).toEqual(['active', 'active', 'active'])
    expect(await deliveryStates(app.database)).not.toContain('cancelled')
    expect(first).toBe(1)
  })
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
    await queue(app, addresses(40))
    await expect
      .poll(async () => {
        app.later(500)
        return states(app, 'sent')
      })
      .toBe(40)
    expect(app.mailer.attempts.length).toBeLessThan(80)
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
    app.later(31_000)
    await expect.poll(() => app.mailer.attempts).toHaveLength(8)
    await queue(app, ['visitor@example.com'])
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

describe('mail that waits while the owner changes the settings', () => {
  test('goes out with the sender, the reply address and the links of now', async () => {
    const app = await testApp({ config: { source: {} } }) // the desk's settings count
    app.mailer.answer(() => relayAway)
    await queue(app, ['ada@example.com'])
    await expect.poll(() => app.mailer.attempts.length).toBeGreaterThan(0)
    await app.database.transaction((transaction) =>
      writeSiteSettings(transaction, {
        MAIL_FROM: 'New <new@other.example>',
        PUBLIC_URL: 'https://new.example',
      }),
    )
    await app.context.settings.refresh()
    app.mailer.answer(() => accepted)
    app.later(minuteMs)
    await expectAll(app, 'sent')
    const { message } = app.mailer.attempts.at(-1)!
    expect(message).toMatchObject({
      from: { name: 'New', address: 'new@other.example' },
      replyTo: 'new@other.example',
    })
    expect(message.text).toContain('https://new.example/kit/')
    expect(message.messageId).toBe(app.mailer.attempts[0]!.message.messageId)
  })
})

describe('while the relay refuses all that waits, sender and all', () => {
  test('four visitors are mailed within seconds, and the backlog does not stand still', async () => {
    const app = await testApp({ config: { mailConcurrency: 4 } })
    app.mailer.answer((address) => (address.startsWith('n') ? refusedMail : accepted))
    await queue(app, addresses(50), 1)
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
        app.later(1_000)
        return new Set(app.mailer.addresses()).size
      })
      .toBe(54)
  })
})

describe('the order of the queue', () => {
  test('is by priority, then by time', async () => {
    const app = await testApp({ config: { mailConcurrency: 1 } })
    const first = app.mailer.hold('first')
    await queue(app, ['first@example.com'], 1)
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    await queueMails(app.database, ['news@example.com'], { priority: 9 })
    await queueMails(app.database, ['busy-1@example.com', 'busy-2@example.com'], { priority: 1 })
    await queueMails(app.database, ['quiet-1@example.com', 'quiet-2@example.com'])
    first(accepted)
    await expectAll(app, 'sent')
    const names = app.mailer.addresses().map((address) => address.split('@')[0])
    expect(names).toEqual(['first', 'quiet-1', 'quiet-2', 'busy-1', 'busy-2', 'news'])
    await expect
      .poll(app.log)
      .toMatch(/"level":"info",.*"event":"delivery sent","delivery":2,"ms":\d/)
    expect(await app.countsAtStop()).toMatchObject({ delivered: 5 }) // without the news
  })

  test('leaves a quarter of the connections to the mail of quiet networks', async () => {
    const app = await testApp()
    const busy = Promise.withResolvers<SendOutcome>()
    app.mailer.answer((address) => (address.startsWith('quiet') ? accepted : busy.promise))
    await queue(app, addresses(10), 1)
    await queue(app, ['quiet@example.com'])
    await expect.poll(() => app.mailer.addresses()).toContain('quiet@example.com')
    await expect.poll(() => app.mailer.attempts).toHaveLength(4)
    busy.resolve(accepted)
    await expectAll(app, 'sent')
  })
})

describe('the ceiling of an hour', () => {
  test('makes mail wait, and is counted', async () => {
    const app = await testApp({ config: { siteMailsPerHour: 4, mailConcurrency: 2 } })
    await queue(app, addresses(6))
    await expect.poll(() => states(app, 'sent')).toBe(4)
    await queue(app, ['one-more@example.com'])
    await expect.poll(() => app.inject('/metrics').then(() => app.mailer.attempts.length)).toBe(4)
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
    app.later(39 * minuteMs)
    await expect.poll(() => app.mailer.attempts.length).toBe(5)
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
    const now = app.clock.now()
    await queueMails(app.database, addresses(10), { now })
    const claim = (worker: string, at: number) =>
      app.database.transaction((transaction) =>
        claimMails(transaction, { worker, now: at, maxMails: 4, maxAbove0: 4, ceiling: 4 }),
      )
    for (const crash of [0, 1, 2, 3, 4]) {
      const at = now + crash * leaseMs
      expect((await claim(`dead-${crash}`, at)).mails).toHaveLength(4)
      expect(await claim('another', at + leaseMs - 1)).toEqual({ mails: [], isFull: true })
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
    const now = app.clock.now()
    await queueMails(app.database, ['cyd@example.com'], { now })
    const claim = { worker: 'next', now, maxMails: 4, maxAbove0: 4, ceiling: 1 }
    expect(await app.database.transaction((transaction) => claimMails(transaction, claim))).toEqual(
      { mails: [], isFull: true },
    )
  })
})

describe('when a worker dies', () => {
  test('its mail goes again once the lease ends, with the same message; its own outcome then changes nothing', async () => {
    const dying = await testApp()
    const sending = dying.mailer.hold()
    await dying.signUp('ada@example.com')
    await expect.poll(() => dying.mailer.attempts).toHaveLength(1)
    const next = await testApp({ databaseUrl: dying.databaseUrl })
    next.context.wakeDeliveries()
    await expect.poll(() => next.inject('/readyz').then(({ statusCode }) => statusCode)).toBe(200)
    expect(next.mailer.attempts).toEqual([])
    const sendingAgain = next.mailer.hold()
    next.later(leaseMs)
    await expect.poll(() => next.mailer.attempts).toEqual(dying.mailer.attempts)
    sending(permanent)
    await dying.stopServer()
    expect(await deliveryStates(next.database)).toEqual(['sending'])
    sendingAgain(accepted)
    await expectAll(next, 'sent')
    expect(await subscriberStates(next.database)).toEqual({ 'ada@example.com': 'active' })
  })
})

test('an attempt that takes long keeps its lease by renewing it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  const renew = () => vi.advanceTimersByTime(15_000)
  const leaseEnd = async () => (await deliveriesIn(app.database))[0]!.due_at
  renew() // there is nothing to renew
  const sending = app.mailer.hold()
  await queue(app, ['ada@example.com'])
  await expect.poll(() => app.mailer.attempts).toHaveLength(1)
  const before = await leaseEnd()
  app.clock.advance(30_000)
  renew()
  await expect.poll(leaseEnd).toBeGreaterThanOrEqual(before + 30_000)
  expect(app.log()).not.toContain('cannot renew')
  await app.database.script('alter table deliveries rename column worker to gone')
  renew()
  await expect.poll(app.log).toMatch(/"cannot renew the leases of deliveries","cause"/)
  await app.database.script('alter table deliveries rename column gone to worker')
  sending(accepted)
  await expectAll(app, 'sent')
})

describe('when the database fails', () => {
  test('mail is claimed later', async () => {
    const app = await testApp()
    await app.database.script('alter table deliveries rename column worker to gone')
    await queue(app, ['ada@example.com'])
    await expect.poll(app.log).toMatch(/"cannot claim deliveries, trying again","cause"/)
    await app.database.script('alter table deliveries rename column gone to worker')
    await expectAll(app, 'sent')
    expect(app.log()).not.toContain('not finished')
  })

  test('an outcome is recorded later, and the mail is not sent again', async () => {
    const app = await testApp({ config: { metricsToken: 'm'.repeat(22) } })
    const sending = app.mailer.hold()
    await queue(app, ['ada@example.com'])
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    await app.database.script('alter table deliveries rename column finished_at to gone')
    sending(accepted)
    const headers = { authorization: `Bearer ${'m'.repeat(22)}` }
    const metrics = async () => (await app.inject({ url: '/metrics', headers })).body
    await expect.poll(metrics).toMatch(/record_failures_total [1-9]/)
    await app.database.script('alter table deliveries rename column gone to finished_at')
    await expectAll(app, 'sent')
    expect(app.mailer.attempts).toHaveLength(1)
    await expect.poll(metrics).toContain('send_duration_seconds_count 1\n')
    expect(app.log().match(/cannot be recorded, trying again","delivery":1/g)).toHaveLength(1)
    expect(await app.countsAtStop()).toMatchObject({ delivered: 1 })
  })
})

describe('after a clock that was ahead by 23 hours is set back', () => {
  const aheadMs = 23 * hourMs

  test('new mail goes at once, and mail that was not tried is due', async () => {
    const app = await testApp()
    app.clock.advance(aheadMs)
    await queueMails(app.database, ['old@example.com'], { now: app.clock.now() + 2 * minuteMs })
    app.clock.advance(-aheadMs)
    await queue(app, ['new@example.com'])
    await expect.poll(() => app.mailer.addresses()).toEqual(['new@example.com'])
    await passMinute(app)
    await expect.poll(() => app.mailer.addresses()).toEqual(['new@example.com', 'old@example.com'])
  })

  test('mail that its recipient deferred waits no longer than its own last wait', async () => {
    const app = await testApp({ config: { retrySeconds: [60, 24 * 60 * 60] } })
    app.clock.advance(aheadMs)
    app.mailer.answer(() => temporary)
    await queue(app, ['ada@example.com'])
    await expect
      .poll(() => deliveriesIn(app.database))
      .toMatchObject([{ state: 'queued', failures: 1 }])
    app.clock.advance(-aheadMs)
    app.mailer.answer(() => accepted)
    await passMinute(app)
    const [mail] = await deliveriesIn(app.database)
    expect(mail!.due_at - app.clock.now()).toBeLessThanOrEqual(minuteMs)
    app.later(minuteMs)
    await expectAll(app, 'sent')
  })

  test('a mail that is being sent is not sent twice', async () => {
    const app = await testApp()
    app.clock.advance(aheadMs)
    const sending = app.mailer.hold()
    await queue(app, ['ada@example.com'])
    await expect.poll(() => app.mailer.attempts).toHaveLength(1)
    app.clock.advance(-aheadMs)
    await passMinute(app)
    const [mail] = await deliveriesIn(app.database)
    expect(mail!.due_at - app.clock.now()).toBeGreaterThan(leaseMs / 2)
    expect(mail!.due_at - app.clock.now()).toBeLessThanOrEqual(leaseMs)
    sending(accepted)
    await expectAll(app, 'sent')
    expect(app.mailer.attempts).toHaveLength(1)
  })

  test('a wait that goes on is left alone', async () => {
    const app = await testApp({ config: { retrySeconds: [24 * 60 * 60] } })
    app.mailer.answer(() => temporary)
    await queue(app, ['ada@example.com'])
    await expect
      .poll(() => deliveriesIn(app.database))
      .toMatchObject([{ state: 'queued', failures: 1 }])
    const before = await deliveriesIn(app.database)
    await passMinute(app)
    expect(await deliveriesIn(app.database)).toEqual(before)
  })
})

/** Queues mail as a sign-up does, at the app's own time. */
async function queue(app: TestApp, to: readonly string[], priority: Priority = 0): Promise<void> {
  await queueMails(app.database, to, { now: app.clock.now(), priority })
  app.context.wakeDeliveries()
}

/** Does what the server does every minute. */
async function passMinute(app: TestApp): Promise<void> {
  await app.repairClocks()
  app.context.wakeDeliveries()
}

/** Resolves once the mails wait because of a fault. */
async function heldUp(app: TestApp) {
  await expect
    .poll(() => deliveriesIn(app.database))
    .toMatchObject([{ state: 'queued', last_fault: relayAway.why }])
  return deliveriesIn(app.database)
}

/** `since`: before the attempt. However slow the machine is, the wait began between then and now. */
function expectWait(
  app: TestApp,
  mail: { due_at: number } | undefined,
  { waitMs, since }: { waitMs: number; since: number },
): void {
  const now = app.clock.now()
  expect(mail?.due_at).toBeGreaterThanOrEqual(since + waitMs)
  // A wait that depends on the mail's age has grown by the time since then.
  expect(mail?.due_at).toBeLessThanOrEqual(now + waitMs + 2 * (now - since))
}

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `n${index}@example.com`)
}

async function expectAll(app: TestApp, state: string): Promise<void> {
  const found = async () => [...new Set(await deliveryStates(app.database))]
  await expect.poll(app.passing(found)).toEqual([state])
}

async function states({ database }: TestApp, state: string): Promise<number> {
  return (await deliveryStates(database)).filter((one) => one === state).length
}
