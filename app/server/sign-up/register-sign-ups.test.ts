import { describe, expect, test } from 'vitest'
import { minuteMs, openList, start, dayMs } from '#rigs/server/test-list.ts'
import { eraseSubscribers } from '../subscribers/erase-subscribers.ts'
import { leaveTheList } from '../subscribers/leave-the-list.ts'

describe('a sign-up', () => {
  test('of a new address stores a subscriber and a delivery', async () => {
    const list = await openList()
    expect(await list.signUp('Ada@Example.com')).toEqual('registered')
    expect(await list.subscribers()).toEqual([
      { address: 'Ada@Example.com', identity: 'ada@example.com', state: 'active' },
    ])
    expect(await list.countDeliveries()).toBe(1)
  })

  test('of a known address in upper case adds no row', async () => {
    const list = await openList()
    await list.signUp('ada@example.com')
    expect(await list.signUp('ADA@EXAMPLE.COM')).toBe('already-registered')
    expect(await list.subscribers()).toHaveLength(1)
    expect(await list.countDeliveries()).toBe(1)
  })

  test('of an address with other dots or tags stores another subscriber', async () => {
    const list = await openList()
    await list.signUp('ada@example.com')
    expect(await list.signUp('ada+bot@example.com')).toBe('registered')
    expect(await list.signUp('a.da@example.com')).toBe('registered')
  })

  test('repeated within a group is new exactly once, with one delivery', async () => {
    const list = await openList()
    const outcomes = await list.signUpTogether(['ada@example.com', 'bob@example.com', 'ADA@example.com'])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['registered', 'registered', 'already-registered'])
    expect(await list.countDeliveries()).toBe(2)
  })

  test.each(['unsubscribed', 'undeliverable'] as const)(
    'of someone %s is new and gets a mail',
    async (state) => {
      const list = await openList()
      await list.signUp('ada@example.com')
      await leaveTheList(list.database, await list.idOf('ada@example.com'), state, start)
      expect(await list.signUp('ada@example.com', minuteMs)).toBe('registered')
      expect(await list.countDeliveries('queued')).toBe(1)
      expect(await list.subscribers()).toEqual([expect.objectContaining({ state: 'active' })])
    },
  )

  test('of someone erased is new and gets a mail', async () => {
    const list = await openList()
    await list.signUp('ada@example.com')
    await eraseSubscribers(list.database, [await list.idOf('ada@example.com')], start)
    expect(await list.signUp('ada@example.com', minuteMs)).toBe('registered')
    expect(await list.countDeliveries()).toBe(1)
  })
})

test('each outcome of a group of new, known and returning people names its own subscriber', async () => {
  const list = await openList()
  const emails = Array.from({ length: 40 }, (_, index) => `person-${(index * 7) % 40}@example.com`)
  await list.signUpTogether(emails.filter((_, index) => index % 3 === 0))
  await leaveTheList(list.database, await list.idOf(emails[3]!), 'unsubscribed', start)
  const outcomes = await list.signUpTogether(emails, minuteMs)
  const ids = await Promise.all(emails.map((email) => list.idOf(email)))
  expect(outcomes.map((outcome) => 'subscriber' in outcome && outcome.subscriber)).toEqual(ids)
  expect(outcomes.filter(({ kind }) => kind === 'registered')).toHaveLength(27)
})

describe('a repeated sign-up', () => {
  test('sends the mail again once after each wait', async () => {
    const list = await openList({ resendAfterMs: 15 * minuteMs })
    await list.signUp('ada@example.com')
    await list.markAllSent()
    for (const [afterMs, deliveries] of [
      [15 * minuteMs - 1, 1],
      [15 * minuteMs, 2],
      [15 * minuteMs + 1, 2],
    ] as const) {
      expect(await list.signUp('ada@example.com', afterMs)).toBe('already-registered')
      expect(await list.countDeliveries()).toBe(deliveries)
      await list.markAllSent()
    }
  })

  test('sends one mail for any number of concurrent ones', async () => {
    const list = await openList({ resendAfterMs: minuteMs })
    await list.signUp('ada@example.com')
    await list.markAllSent()
    const many = Array.from({ length: 20 }, () => list.signUp('ada@example.com', 2 * minuteMs))
    await Promise.all(many)
    await list.signUpTogether(
      Array.from({ length: 20 }, () => 'ada@example.com'),
      2 * minuteMs,
    )
    expect(await list.countDeliveries()).toBe(2)
  })

  test.each(['queued', 'sending'] as const)('sends nothing while a mail is still %s', async (state) => {
    const list = await openList({ resendAfterMs: minuteMs })
    await list.signUp('ada@example.com')
    await list.database.query.updateTable('deliveries').set({ state }).execute()
    await list.signUp('ada@example.com', 5 * minuteMs)
    expect(await list.countDeliveries()).toBe(1)
  })

  test('sends nothing above the ceiling of the day, which ends a day after the first mail', async () => {
    const list = await openList({ resendAfterMs: minuteMs, mailsPerAddressADay: 2 })
    for (const minute of [0, 2, 4, 6]) {
      expect(await list.signUp('ada@example.com', minute * minuteMs)).toBe(
        minute === 0 ? 'registered' : 'already-registered',
      )
      await list.markAllSent()
    }
    expect(await list.countDeliveries()).toBe(2)
    await list.signUp('ada@example.com', dayMs)
    expect(await list.countDeliveries()).toBe(3)
  })
})

describe('the time of the next resend', () => {
  const resendAfterMs = 15 * minuteMs
  const again = (afterMs: number) => ({
    kind: 'already-registered',
    subscriber: 1,
    nextResendAt: start + afterMs,
  })

  test('is after the wait for a new address', async () => {
    const list = await openList({ resendAfterMs })
    expect(await list.signUpTogether(['ada@example.com'])).toEqual([
      { kind: 'registered', subscriber: 1, nextResendAt: start + resendAfterMs },
    ])
  })

  test('counts from the last mail, not from the last sign-up', async () => {
    const list = await openList({ resendAfterMs })
    await list.signUp('ada@example.com')
    await list.markAllSent()
    for (const afterMs of [minuteMs, 5 * minuteMs])
      expect(await list.signUpTogether(['ada@example.com'], afterMs)).toEqual([again(resendAfterMs)])
    const second = 20 * minuteMs
    expect(await list.signUpTogether(['ada@example.com'], second)).toEqual([
      { kind: 'already-registered', subscriber: 1, resentAt: start + second },
    ])
    const third = await list.signUpTogether(['ada@example.com'], second + minuteMs)
    expect(third).toEqual([again(second + resendAfterMs + 1)]) // marked: the second mail is still on its way
  })

  test("is a day after the first mail at the day's ceiling", async () => {
    const list = await openList({ resendAfterMs: minuteMs, mailsPerAddressADay: 2 })
    await list.signUp('ada@example.com')
    await list.markAllSent()
    await list.signUp('ada@example.com', 5 * minuteMs)
    await list.markAllSent()
    expect(await list.signUpTogether(['ada@example.com'], 10 * minuteMs)).toEqual([again(dayMs)])
  })

  test('is a day later if the first mail reaches the ceiling', async () => {
    const list = await openList({ resendAfterMs: minuteMs, mailsPerAddressADay: 1 })
    expect(await list.signUpTogether(['ada@example.com'])).toEqual([
      { kind: 'registered', subscriber: 1, nextResendAt: start + dayMs },
    ])
  })

  test('is after another wait while the last mail is in flight', async () => {
    const list = await openList({ resendAfterMs })
    await list.signUp('ada@example.com')
    expect(await list.signUpTogether(['ada@example.com'], 20 * minuteMs)).toEqual([
      again(20 * minuteMs + resendAfterMs),
    ])
  })

  test('is also given to an equal sign-up of the same group', async () => {
    const list = await openList({ resendAfterMs })
    await list.signUp('ada@example.com')
    await list.markAllSent()
    const twice = ['ada@example.com', 'ada@example.com']
    expect(await list.signUpTogether(twice, 20 * minuteMs)).toEqual([
      { kind: 'already-registered', subscriber: 1, resentAt: start + 20 * minuteMs },
      again(20 * minuteMs + resendAfterMs),
    ])
  })
})
