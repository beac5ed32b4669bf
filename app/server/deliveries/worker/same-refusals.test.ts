import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { accepted, permanent, temporary } from '#rigs/mail/programmable-mailer.ts'
import { expectAll, queue, states } from '#rigs/server/mail-queue.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { deliveriesIn, deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import { emptyExtension, testApp } from '#rigs/server/test-app.ts'
import type { Extension } from '../../start/context.ts'
import type { SendOutcome } from '../../transports/mailer.ts'
import { mailingPriority } from '../deliveries.ts'
import { readMailFlow } from '../mail-state.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

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
    const none = ['bounced', 'failed refused', 'failed gave-up'].map((name) => counts[name] ?? 0)
    expect(none).toEqual([0, 0, 0])
  })

  test('old mail then waits for half an hour at most, and the relay gets one mail at a time', async () => {
    const app = await testApp()
    app.mailer.answer(() => permanent)
    for (const address of sameWords) {
      const tried = app.mailer.attempts.length
      await queueMails(app.database, [address], { now: app.clock.now() - 2 * hourMs })
      app.context.wakeDeliveries()
      await expect.poll(() => app.mailer.attempts.length).toBeGreaterThan(tried)
    }
    await expectAll(app, 'queued')
    const mails = await deliveriesIn(app.database)
    expect(Math.max(...mails.map(({ due_at: dueAt }) => dueAt))).toBeLessThanOrEqual(
      app.clock.now() + hourMs / 2,
    )
    app.mailer.hold()
    await queue(app, ['dee@four.example', 'eve@five.example'])
    app.later(250)
    await expect.poll(() => app.mailer.attempts.length).toBeGreaterThan(3)
    await app.inject('/readyz') // time for more of them
    expect(app.mailer.attempts).toHaveLength(4)
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

  test('who came off by it joins again, and their letter waits again', async () => {
    const { told, extension } = ownersRing()
    const app = await testApp({ extension })
    app.mailer.answer(() => permanent)
    const now = app.clock.now() + minuteMs
    await queueMails(app.database, ['ana@one.example'], { priority: mailingPriority, now })
    await app.change(sql`update deliveries set mailing = 7`)
    app.later(minuteMs)
    await expectAll(app, 'failed')
    await queue(app, ['bob@two.example'])
    await expect.poll(() => states(app, 'failed')).toBe(2)
    expect(told).toEqual(['failed of 7', 'bounced 1', 'bounced 2'])
    told.length = 0
    await queue(app, ['cyd@three.example'])
    await expectAll(app, 'queued')
    expect(told.toSorted()).toEqual(['joined 1', 'joined 2', 'waits-again of 7'])
    expect((await app.countsAtStop())['failed refused']).toBe(0) // a letter is not in the counts
  })

  test('a mail that a later sign-up replaced stays failed, and is counted', async () => {
    const { told, extension } = ownersRing()
    const app = await testApp({ extension })
    app.mailer.answer(() => permanent)
    const failAfter = async (address: string, failed: number) => {
      await queue(app, [address])
      await expect.poll(() => states(app, 'failed')).toBe(failed)
    }
    await failAfter('ana@one.example', 1)
    await app.change(sql`update subscribers set state = 'active', left_at = null`)
    app.clock.advance(minuteMs)
    await failAfter('ana@one.example', 2)
    await failAfter('bob@two.example', 3)
    await failAfter('cyd@three.example', 1)
    expect(await deliveryStates(app.database)).toEqual(['failed', 'queued', 'queued', 'queued'])
    expect(await subscriberStates(app.database)).toEqual(active)
    expect(told.filter((line) => line.startsWith('joined'))).toEqual(['joined 2', 'joined 1'])
    expect(await app.countsAtStop()).toEqual({ bounced: 1, 'failed refused': 1 })
  })
})

/** `told`: each event and each end of a mail of a mailing, in order. */
function ownersRing(): { told: string[]; extension: Extension } {
  const told: string[] = []
  return {
    told,
    extension: {
      ...emptyExtension,
      recordEvent: () => async (_transaction, event, subscriber) =>
        void told.push(`${event} ${subscriber}`),
      mailings: {
        mayGo: async () => ({ kind: 'go' }),
        recordEnd: async (_transaction, mailing, end) => void told.push(`${end} of ${mailing}`),
      },
    },
  }
}
