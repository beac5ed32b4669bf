import { describe, expect, test } from 'vitest'
import { dayMs, minuteMs, openList, start } from '#rigs/server/test-list.ts'

describe('the ceiling of an inbox', () => {
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

  test('holds within one group of sign-ups', async () => {
    const list = await openList({ mailsPerAddressADay: 2 })
    const tags = Array.from({ length: 6 }, (_, index) => `ada+${index}@example.com`)
    const outcomes = await list.signUpTogether(tags)
    expect(outcomes.filter(({ kind }) => kind === 'registered')).toHaveLength(2)
    expect(await list.countDeliveries()).toBe(2)
  })

  test('does not count mail that a wrong clock dated', async () => {
    const list = await openList({ mailsPerAddressADay: 1 })
    await list.signUp('ada+1@example.com', 30 * dayMs)
    expect(await list.signUp('ada+2@example.com')).toBe('registered')
    expect(await list.signUp('ada+3@example.com')).toBe('refused')
  })

  test('counts addresses with and without dots separately outside Gmail', async () => {
    const list = await openList({ mailsPerAddressADay: 1 })
    await list.signUp('ada@example.com')
    expect(await list.signUp('a.da@example.com')).toBe('registered')
  })

  test('refuses equal sign-ups in one group with the same time to come back', async () => {
    const list = await openList({ mailsPerAddressADay: 1 })
    await list.signUp('ada+1@example.com')
    const refused = { kind: 'refused', by: 'address', retryAfterSeconds: 86_400 - 60 }
    expect(await list.signUpTogether(['ada+2@example.com', 'ada+2@example.com'], minuteMs)).toEqual([
      refused,
      refused,
    ])
    expect(await list.subscribers()).toHaveLength(1)
  })

  test('answers a subscriber above it with already-registered, without a mail', async () => {
    const list = await openList({ mailsPerAddressADay: 1, resendAfterMs: 0 })
    await list.signUp('ada@example.com')
    await list.markAllSent()
    expect(await list.signUp('ada@example.com', minuteMs)).toBe('already-registered')
    expect(await list.countDeliveries()).toBe(1)
  })
})

describe('in a storm an inbox', () => {
  const dueDays = async ({ database }: Awaited<ReturnType<typeof openList>>) => {
    const mails = database.query.selectFrom('deliveries').select('due_at').orderBy('due_at')
    return (await mails.execute()).map(({ due_at }) => (due_at - start) / dayMs)
  }

  test('gets one mail a day: later ones wait, and nobody else is refused', async () => {
    const list = await openList({ mailsPerAddressADay: 3, isStorm: true })
    const outcomes: string[] = []
    for (const tag of [1, 2, 3, 4]) outcomes.push(await list.signUp(`ada+${tag}@example.com`))
    expect(outcomes).toEqual(['registered', 'registered', 'registered', 'refused'])
    expect(await dueDays(list)).toEqual([0, 1, 2])
  })

  test('gets the time of its next mail in the answer, and the mail at that time', async () => {
    const list = await openList({ mailsPerAddressADay: 3, resendAfterMs: 0, isStorm: true })
    expect(await list.signUpTogether(['ada@example.com'])).toMatchObject([
      { kind: 'registered', nextResendAt: start + dayMs },
    ])
    await list.markAllSent()
    expect(await list.signUpTogether(['ada@example.com'], minuteMs)).toMatchObject([
      { kind: 'already-registered', nextResendAt: start + dayMs },
    ])
    expect(await list.countDeliveries()).toBe(1)
    expect(await list.signUpTogether(['ada@example.com'], dayMs)).toMatchObject([
      { kind: 'already-registered', resentAt: start + dayMs },
    ])
  })

  test('is not counted when the ceiling of addresses is off', async () => {
    const list = await openList({ mailsPerAddressADay: Infinity, isStorm: true })
    for (const tag of [1, 2]) await list.signUp(`ada+${tag}@example.com`)
    expect(await dueDays(list)).toEqual([0, 0])
  })
})

describe('the ceiling of a network', () => {
  test('refuses sign-ups above it for ten minutes, for any address, and stores nothing', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 2 })
    const addresses = ['a@example.com', 'b@example.com', 'c@example.com']
    const [first, second, third] = await list.signUpTogether(addresses)
    expect([first?.kind, second?.kind]).toEqual(['registered', 'registered'])
    expect(third).toEqual({ kind: 'refused', by: 'network', retryAfterSeconds: 600 })
    expect(await list.signUp('c@example.com', 10 * minuteMs - 1)).toBe('refused')
    expect(await list.subscribers()).toHaveLength(2)
    expect(await list.signUp('c@example.com', 10 * minuteMs)).toBe('registered')
  })

  test('does not last until a date that a wrong clock set', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 1 })
    await list.signUp('a@example.com', 30 * dayMs)
    expect(await list.signUp('b@example.com')).toBe('registered')
    expect(await list.signUp('c@example.com')).toBe('refused')
  })

  test('leaves other networks alone', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 1 })
    await list.signUp('a@example.com')
    const another = { network: 'another network', widerNetwork: undefined }
    expect(await list.signUp('b@example.com', 0, another)).toBe('registered')
  })

  test('is five times as high for a /48 of IPv6, across all its networks', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 2 })
    const outcomes: string[] = []
    for (let index = 0; index < 11; index += 1)
      outcomes.push(
        await list.signUp(`${index}@example.com`, 0, { network: `/64 ${index}`, widerNetwork: '/48' }),
      )
    expect(outcomes.indexOf('refused')).toBe(10)
    expect(await list.signUp('a@example.com', 0, { network: '/64 11', widerNetwork: 'another' })).toBe(
      'registered',
    )
    expect(
      await list.signUp('b@example.com', 10 * minuteMs, { network: '/64 12', widerNetwork: '/48' }),
    ).toBe('registered')
  })
})

describe('the lane of a mail', () => {
  const lanesIn = async ({ database }: Awaited<ReturnType<typeof openList>>) => {
    const mails = database.query.selectFrom('deliveries').innerJoin('subscribers as s', 's.id', 'subscriber')
    const rows = await mails.select('lane').orderBy('signed_up_at').orderBy('identity').execute()
    return rows.map(({ lane }) => lane).join('')
  }

  test('rises with the sign-ups of its network in ten minutes', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 20 })
    await list.signUpTogether(Array.from('abcdefgh').map((name) => `${name}@example.com`))
    await list.signUpTogether(
      Array.from('abcd').map((name) => `later-${name}@example.com`),
      minuteMs,
    )
    await list.signUp('quiet@example.com', 2 * minuteMs, { network: 'another', widerNetwork: undefined })
    await list.signUp('last@example.com', 10 * minuteMs)
    expect(await lanesIn(list)).toBe('01112222223300')
  })

  test('is the last one above the daily limit of its network, and nobody is refused for it', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 20, signUpsPerNetworkADay: 12 })
    const outcomes: string[] = []
    for (let index = 0; index < 16; index += 1)
      outcomes.push(await list.signUp(`${index}@example.com`, index * 5 * minuteMs))
    expect(new Set(outcomes)).toEqual(new Set(['registered']))
    expect(await lanesIn(list)).toBe('0101010101013333')
    await list.signUp('next-day@example.com', dayMs)
    expect(await lanesIn(list)).toBe('01010101010133330')
  })

  test('also rises when many networks of one /48 sign up once each', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 20 })
    for (let index = 0; index < 51; index += 1)
      await list.signUp(`${index}@example.com`, index, { network: `/64 ${index}`, widerNetwork: '/48' })
    expect(await lanesIn(list)).toBe('0'.repeat(5) + '1'.repeat(15) + '2'.repeat(30) + '3')
  })

  test('falls when somebody on a quieter network signs the address up, and never rises', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 20 })
    const quiet = { network: 'quiet', widerNetwork: undefined }
    await list.signUpTogether(['a@example.com', 'b@example.com', 'c@example.com'])
    expect(await lanesIn(list)).toBe('011')
    expect(await list.signUp('b@example.com', 0, quiet)).toBe('already-registered')
    expect(await lanesIn(list)).toBe('001')
    await list.signUpTogether(['a@example.com', 'b@example.com', 'c@example.com'])
    expect(await lanesIn(list)).toBe('001')
  })

  test('of an announcement does not change when its subscriber signs up again', async () => {
    const list = await openList({ signUpsPerNetworkIn10Minutes: 20 })
    await list.signUp('ada@example.com')
    await list.database.query.updateTable('deliveries').set({ lane: 9 }).execute()
    await list.signUp('ada@example.com')
    expect(await lanesIn(list)).toBe('9')
  })
})

describe('the ceiling of a domain', () => {
  const many = (count: number, domain: string) => Array.from({ length: count }, (_, i) => `${i}@${domain}`)

  test('is 50 times that of an address, for a day', async () => {
    const list = await openList({ mailsPerAddressADay: 1 })
    const outcomes = await list.signUpTogether(many(51, 'catch-all.net'))
    expect(outcomes.filter(({ kind }) => kind === 'registered')).toHaveLength(50)
    expect(outcomes.at(-1)).toEqual({ kind: 'refused', by: 'domain', retryAfterSeconds: 86_400 })
    expect(await list.signUp('more@catch-all.net', dayMs - 1)).toBe('refused')
    expect(await list.signUp('more@other.net', dayMs - 1)).toBe('registered')
    expect(await list.signUp('more@catch-all.net', dayMs)).toBe('registered')
  })

  test('answers a subscriber above it with already-registered, without a mail', async () => {
    const list = await openList({ mailsPerAddressADay: 1, resendAfterMs: 0 })
    await list.signUpTogether(many(50, 'catch-all.net'))
    await list.markAllSent()
    expect(await list.signUp('0@catch-all.net', minuteMs)).toBe('already-registered')
    expect(await list.countDeliveries()).toBe(50)
  })

  test('does not count sign-ups above the ceiling of their address', async () => {
    const list = await openList({ mailsPerAddressADay: 1 })
    await list.signUpTogether(Array.from({ length: 60 }, (_, i) => `ada+${i}@catch-all.net`))
    expect(await list.signUp('bob@catch-all.net')).toBe('registered')
  })

  test.each(['gmail.com', 'web.de', 'example.com', 'load.test'])('does not apply to %s', async (domain) => {
    const list = await openList({ mailsPerAddressADay: 1 })
    const outcomes = await list.signUpTogether(many(51, domain))
    expect(outcomes.every(({ kind }) => kind === 'registered')).toBe(true)
  })

  test('stores no domain in plain text', async () => {
    const list = await openList({ mailsPerAddressADay: 1 })
    await list.signUp('ada@catch-all.net')
    const rows = await list.database.query.selectFrom('limit_windows').select('name').execute()
    expect(rows).toEqual([{ name: expect.stringMatching(/^[\w-]{22}$/) }])
  })
})
