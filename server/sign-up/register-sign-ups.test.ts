import { describe, expect, test } from 'vitest'
import { parseEmailAddress } from '#contract/email-address.ts'
import { openTemporaryDatabase } from '#testing/temporary-database.ts'
import type { Database } from '../database/open-database.ts'
import { keepTemplate } from '../outbox/mail-templates.ts'
import { eraseFromTheList, leaveTheList } from '../subscribers/leave-the-list.ts'
import { registerSignUps, type Registration, type RegistrationMeans } from './register-sign-ups.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const start = Date.UTC(2026, 0, 5)

describe('a sign-up', () => {
  test('of a new address is a subscriber and a delivery owed to it', async () => {
    const list = await openList()
    expect(await list.signUp('Ada@Example.com')).toEqual('registered')
    expect(await list.subscribers()).toEqual([
      { address: 'Ada@Example.com', identity: 'ada@example.com', state: 'active' },
    ])
    expect(await list.countDeliveries()).toBe(1)
  })

  test('of the same address in other letters is known already, and sends nothing new', async () => {
    const list = await openList()
    await list.signUp('ada@example.com')
    expect(await list.signUp('ADA@EXAMPLE.COM')).toBe('already-registered')
    expect(await list.subscribers()).toHaveLength(1)
    expect(await list.countDeliveries()).toBe(1)
  })

  test('of an address with other dots or tags is another subscriber', async () => {
    const list = await openList()
    await list.signUp('ada@example.com')
    expect(await list.signUp('ada+bot@example.com')).toBe('registered')
    expect(await list.signUp('a.da@example.com')).toBe('registered')
  })

  test('in a group with equal ones is new exactly once, and one mail is owed', async () => {
    const list = await openList()
    const outcomes = await list.signUpTogether(['ada@example.com', 'bob@example.com', 'ADA@example.com'])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['registered', 'registered', 'already-registered'])
    expect(await list.countDeliveries()).toBe(2)
  })

  test.each(['unsubscribed', 'undeliverable'] as const)('of someone %s is new, and a mail', async (state) => {
    const list = await openList()
    await list.signUp('ada@example.com')
    await leaveTheList(list.database, await list.idOf('ada@example.com'), state, start)
    expect(await list.signUp('ada@example.com', minuteMs)).toBe('registered')
    expect(await list.countDeliveries('queued')).toBe(1)
    expect(await list.subscribers()).toEqual([expect.objectContaining({ state: 'active' })])
  })

  test('of someone erased is new, and a mail', async () => {
    const list = await openList()
    await list.signUp('ada@example.com')
    await eraseFromTheList(list.database, [await list.idOf('ada@example.com')])
    expect(await list.signUp('ada@example.com', minuteMs)).toBe('registered')
    expect(await list.countDeliveries()).toBe(1)
  })
})

describe('the original mail goes again', () => {
  test('not before the wait is over, then once, and not again before the next wait', async () => {
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
    }
  })

  test('once only, of many that ask at the same moment', async () => {
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

  test.each(['queued', 'sending'] as const)('not while one is still %s', async (state) => {
    const list = await openList({ resendAfterMs: minuteMs })
    await list.signUp('ada@example.com')
    await list.database.query.updateTable('deliveries').set({ state }).execute()
    await list.signUp('ada@example.com', 5 * minuteMs)
    expect(await list.countDeliveries()).toBe(1)
  })

  test('not beyond the ceiling of the day, which ends a day after the first mail', async () => {
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

describe('the ceiling of one inbox', () => {
  test.each([
    ['tags at any provider', ['ada+1@example.com', 'ada+2@example.com', 'ada@example.com']],
    [
      'dots and tags at Gmail, under both its names',
      ['a.d.a@gmail.com', 'ada+x@googlemail.com', 'ada@gmail.com'],
    ],
  ])('counts %s together', async (_what, addresses) => {
    const list = await openList({ mailsPerAddressADay: 2 })
    const outcomes: string[] = []
    for (const address of addresses) outcomes.push(await list.signUp(address))
    expect(outcomes).toEqual(['registered', 'registered', 'refused'])
    expect(await list.countDeliveries()).toBe(2)
  })

  test('holds within one group', async () => {
    const list = await openList({ mailsPerAddressADay: 2 })
    const tags = Array.from({ length: 6 }, (_, index) => `ada+${index}@example.com`)
    const outcomes = await list.signUpTogether(tags)
    expect(outcomes.filter(({ kind }) => kind === 'registered')).toHaveLength(2)
    expect(await list.countDeliveries()).toBe(2)
  })

  test('leaves dots alone elsewhere', async () => {
    const list = await openList({ mailsPerAddressADay: 1 })
    await list.signUp('ada@example.com')
    expect(await list.signUp('a.da@example.com')).toBe('registered')
  })

  test('tells when to come back, and tells equal ones in the same group the same', async () => {
    const list = await openList({ mailsPerAddressADay: 1 })
    await list.signUp('ada+1@example.com')
    const refused = { kind: 'refused', by: 'address', retryAfterSeconds: 86_400 - 60 }
    expect(await list.signUpTogether(['ada+2@example.com', 'ada+2@example.com'], minuteMs)).toEqual([
      refused,
      refused,
    ])
    expect(await list.subscribers()).toHaveLength(1)
  })

  test('lets someone who is on the list know so, without a mail', async () => {
    const list = await openList({ mailsPerAddressADay: 1, resendAfterMs: 0 })
    await list.signUp('ada@example.com')
    await list.markAllSent()
    expect(await list.signUp('ada@example.com', minuteMs)).toBe('already-registered')
    expect(await list.countDeliveries()).toBe(1)
  })
})

describe('the ceiling of one network', () => {
  test('refuses what is above it for ten minutes, whoever is asked for, and stores nothing', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 2 })
    const addresses = ['a@example.com', 'b@example.com', 'c@example.com']
    const [first, second, third] = await list.signUpTogether(addresses)
    expect([first?.kind, second?.kind]).toEqual(['registered', 'registered'])
    expect(third).toEqual({ kind: 'refused', by: 'network', retryAfterSeconds: 600 })
    expect(await list.signUp('c@example.com', 10 * minuteMs - 1)).toBe('refused')
    expect(await list.subscribers()).toHaveLength(2)
    expect(await list.signUp('c@example.com', 10 * minuteMs)).toBe('registered')
  })

  test('is of that network alone', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 1 })
    await list.signUp('a@example.com')
    expect(await list.signUp('b@example.com', 0, 'another network')).toBe('registered')
  })
})

async function openList(limits: Partial<RegistrationMeans> = {}) {
  const database = await openTemporaryDatabase()
  const template = await keepTemplate(database.query, emptyTemplate)
  const signUpTogether = (typed: readonly string[], afterMs = 0, network = 'network') =>
    database.query.transaction().execute((transaction): Promise<Registration[]> => {
      const signUps = typed.map((one) => ({ ...parseEmailAddress(one)!, network }))
      return registerSignUps(transaction, signUps, { ...roomy, template, now: start + afterMs, ...limits })
    })
  return { ...looking(database), signUpTogether, signUp: first(signUpTogether) }
}

function first(together: (typed: string[], afterMs: number, network?: string) => Promise<Registration[]>) {
  return async (typed: string, afterMs = 0, network?: string) =>
    (await together([typed], afterMs, network))[0]!.kind
}

function looking(database: Database) {
  const { query } = database
  return {
    database,
    subscribers: () => query.selectFrom('subscribers').select(['address', 'identity', 'state']).execute(),
    idOf: async (identity: string) =>
      (await query
        .selectFrom('subscribers')
        .select('id')
        .where('identity', '=', identity)
        .executeTakeFirst())!.id,
    async countDeliveries(state?: 'queued') {
      const all = await query.selectFrom('deliveries').select('state').execute()
      return all.filter((one) => state === undefined || one.state === state).length
    },
    markAllSent: () => query.updateTable('deliveries').set({ state: 'sent' }).execute(),
  }
}

const emptyTemplate = { subject: '', html: '', text: '', from: '', replyTo: '', publicUrl: '' }
const roomy = {
  resendAfterMs: dayMs,
  messageIdDomain: 'mail.example',
  signUpsPerNetworkIn10Minutes: Infinity,
  mailsPerAddressADay: Infinity,
}
