import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { countRows, deliveriesIn, deliveryStates } from '#rigs/server/rows.ts'
import { act, type TestApp, testApp } from '#rigs/server/test-app.ts'
import { claimMails } from '../deliveries/deliveries.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

describe('the ceiling of an inbox', () => {
  test.each([
    { what: 'tags at any provider', spellings: ['ada+1@uni.edu', 'ada+2@uni.edu', 'ada@uni.edu'] },
    {
      what: 'spellings that Gmail reads alike',
      spellings: ['a.d.a@gmail.com', 'ada+x@googlemail.com', 'ada@gmail.com'],
    },
    {
      what: 'spellings that Proton reads alike',
      spellings: ['a.da@proton.me', 'a-d_a@protonmail.com', 'ada@pm.me'],
    },
    {
      what: 'spellings that Yandex reads alike',
      spellings: ['a.da@yandex.ru', 'a-da@ya.ru', 'a.da@yandex.kz'],
    },
    { what: 'the domains of iCloud', spellings: ['ada@me.com', 'ada@mac.com', 'ada@icloud.com'] },
  ])('counts $what together', async ({ spellings }) => {
    const app = await testApp({ config: { mailsPerAddressADay: 2 } })
    expect(await statuses(app, spellings)).toEqual([200, 200, 429])
    expect(await countRows(app.database)).toEqual({ subscribers: 2, deliveries: 2 })
  })

  test('says when the next mail may go out', async () => {
    const app = await testApp({ config: { mailsPerAddressADay: 2 } })
    await app.signUp('ada+1@uni.edu')
    app.clock.advance(30 * minuteMs)
    await app.signUp('ada+2@uni.edu')
    app.clock.advance(30 * minuteMs)
    const answer = await app.signUp('ada@uni.edu')
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(23 * 60 * 60)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(22 * 60 * 60)
    app.clock.advance(23 * 60 * minuteMs)
    expect(await statuses(app, ['ada@uni.edu', 'ada+3@uni.edu'])).toEqual([200, 429])
  })

  test('holds for sign-ups that share a commit', async () => {
    const app = await testApp({ config: { mailsPerAddressADay: 2 } })
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((tag) => app.signUp(`ada+${tag}@uni.edu`)),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 429, 429, 429, 429,
    ])
  })

  test('counts addresses with and without dots separately outside Gmail', async () => {
    const app = await testApp({ config: { mailsPerAddressADay: 1 } })
    expect(await statuses(app, ['ada@uni.edu', 'a.da@uni.edu'])).toEqual([200, 200])
  })

  test('is not used up by mail that was cancelled', async () => {
    const app = await testApp({ config: { mailsPerAddressADay: 1, siteMailsPerHour: 1 } })
    await app.signUp('first@uni.edu') // takes the hour's only mail
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sent'])
    for (const round of [1, 2, 3]) {
      expect((await app.signUp('ada@uni.edu')).status, `round ${round}`).toBe(200)
      await act(app, 'ada@uni.edu', 'unsubscribe')
    }
    expect(await deliveryStates(app.database)).toEqual([
      'sent',
      'cancelled',
      'cancelled',
      'cancelled',
    ])
  })
})

describe('the ceiling of a network', () => {
  const byProxy = { trustedProxies: 1 }
  const from = (app: TestApp, email: string, network: string) =>
    app.signUp(email, { 'x-forwarded-for': network })

  test('refuses sign-ups above it for ten minutes, for any address, stores nothing, and leaves others alone', async () => {
    const app = await testApp({ config: { ...byProxy, signUpsPerNetworkIn10Minutes: 2 } })
    for (const name of ['a', 'b']) {
      expect((await from(app, `${name}@uni.edu`, '1.1.1.1')).status).toBe(200)
    }
    const refused = await from(app, 'c@uni.edu', '6.6.6.6, 1.1.1.1')
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ error: { code: 'too_many_requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(590)
    expect((await from(app, 'c@uni.edu', '2.2.2.2')).status).toBe(200)
    app.clock.advance(9 * minuteMs)
    expect((await from(app, 'd@uni.edu', '1.1.1.1')).status).toBe(429)
    expect(await countRows(app.database)).toEqual({ subscribers: 3, deliveries: 3 })
    app.clock.advance(minuteMs + 1000)
    expect((await from(app, 'd@uni.edu', '1.1.1.1')).status).toBe(200)
  })

  test('is five times as high for a /48 of IPv6, across all its networks', async () => {
    const app = await testApp({ config: { ...byProxy, signUpsPerNetworkIn10Minutes: 1 } })
    const answers: number[] = []
    for (const part of [1, 2, 3, 4, 5, 6]) {
      answers.push((await from(app, `${part}@uni.edu`, `2001:db8:1:${part}::1`)).status)
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 429])
    expect((await from(app, 'other@uni.edu', '2001:db8:2:1::1')).status).toBe(200)
  })

  test('refuses without writing, also from new networks of a /48 that has reached it', async () => {
    const app = await testApp({ config: { ...byProxy, signUpsPerNetworkIn10Minutes: 1 } })
    for (const part of [1, 2, 3, 4, 5]) {
      await from(app, `${part}@uni.edu`, `2001:db8:1:${part}::1`)
    }
    await from(app, 'ada@uni.edu', '1.1.1.1')
    const readWindows = () => app.database.rows(sql`select * from networks order by network`)
    const before = await readWindows()
    for (const part of [1, 6, 7]) {
      expect((await from(app, 'bob@uni.edu', `2001:db8:1:${part}::1`)).status).toBe(429)
    }
    expect((await from(app, 'bob@uni.edu', '1.1.1.1')).status).toBe(429)
    expect(await readWindows()).toEqual(before)
  })

  test('holds exactly for two instances of one database', async () => {
    const config = { ...byProxy, signUpsPerNetworkIn10Minutes: 5 }
    const first = await testApp({ config })
    const second = await testApp({ config, databaseUrl: first.databaseUrl, mailer: first.mailer })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        from(index % 2 === 0 ? first : second, `${index}@uni.edu`, '1.1.1.1'),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(await countRows(first.database)).toEqual({ subscribers: 5, deliveries: 5 })
  })

  test('gives its mail priority 1 from the second sign-up in an hour, and above the limit of a day', async () => {
    const app = await testApp({
      config: { ...byProxy, signUpsPerNetworkIn10Minutes: 20, signUpsPerNetworkADay: 3 },
    })
    const priorities = async () =>
      (await deliveriesIn(app.database)).map(({ priority }) => priority)
    await from(app, 'a@uni.edu', '1.1.1.1')
    await from(app, 'quiet@uni.edu', '2.2.2.2')
    app.clock.advance(59 * minuteMs)
    await from(app, 'b@uni.edu', '1.1.1.1')
    app.clock.advance(2 * minuteMs)
    await from(app, 'c@uni.edu', '1.1.1.1')
    expect(await priorities()).toEqual([0, 0, 1, 0])
    app.clock.advance(61 * minuteMs)
    await from(app, 'd@uni.edu', '1.1.1.1')
    expect(await priorities()).toEqual([0, 0, 1, 0, 1])
    app.clock.advance(dayMs)
    await from(app, 'e@uni.edu', '1.1.1.1')
    expect(await priorities()).toEqual([0, 0, 1, 0, 1, 0])
  })

  test('takes a /48 of IPv6 for one network when it chooses the priority of mail', async () => {
    const app = await testApp({
      config: { ...byProxy, signUpsPerNetworkIn10Minutes: 20, signUpsPerNetworkADay: 101 },
    })
    const signUps = async (first: number, count: number) => {
      for (let part = first; part < first + count; part += 1) {
        await from(app, `${part}@uni.edu`, `2001:db8:1:${part}::1`)
      }
    }
    await signUps(0, 100)
    const quietMails = async () =>
      (await deliveriesIn(app.database)).filter(({ priority }) => priority === 0).length
    expect(await quietMails()).toBe(1)
    app.clock.advance(61 * minuteMs)
    await signUps(100, 1)
    expect(await quietMails()).toBe(2)
    app.clock.advance(61 * minuteMs)
    await signUps(101, 1) // above the limit of a day
    expect(await quietMails()).toBe(2)
    await from(app, 'quiet@uni.edu', '2001:db8:2:1::1')
    expect(await quietMails()).toBe(3)
  })
})

test.each([
  ['at the same time', (turn: number) => turn % 10],
  ['one after the other', (turn: number) => Math.floor(turn / 20)],
])(
  'ten networks with twenty sign-ups each, %s, leave room in the hour to a visitor from a quiet one',
  async (_name, networkOf) => {
    const config = { trustedProxies: 1, signUpsPerNetworkIn10Minutes: 20, siteMailsPerHour: 60 }
    const app = await testApp({ config })
    const from = (network: string, email: string) =>
      app.signUp(email, { 'x-forwarded-for': network })
    for (let turn = 0; turn < 200; turn += 1) {
      const network = networkOf(turn)
      await from(`203.0.113.${network}`, `flood-${turn}@uni${network}.edu`)
    }
    await expect.poll(() => app.mailer.attempts.length).toBeGreaterThanOrEqual(45)
    await from('198.51.100.1', 'visitor@example.com')
    await expect.poll(() => app.mailer.addresses()).toContain('visitor@example.com')
  },
)

describe('the ceiling of a domain', () => {
  const many = (count: number, domain: string) =>
    Array.from({ length: count }, (_, index) => `${index}@${domain}`)

  test('is 50 times that of an address, for a day', async () => {
    const app = await testApp({ config: { mailsPerAddressADay: 1 } })
    const answers = await statuses(app, many(51, 'catch-all.net'))
    expect(answers.indexOf(429)).toBe(50)
    expect(await statuses(app, ['more@other.net'])).toEqual([200])
    app.clock.advance(dayMs)
    expect(await statuses(app, ['more@catch-all.net'])).toEqual([200])
  })

  test('answers a subscriber above it with alreadyExists, without a mail', async () => {
    const app = await testApp({ config: { mailsPerAddressADay: 1, resendAfterSeconds: 0 } })
    await statuses(app, many(50, 'catch-all.net'))
    await expect
      .poll(async () => new Set(await deliveryStates(app.database)))
      .toEqual(new Set(['sent']))
    app.clock.advance(minuteMs)
    expect(await (await app.signUp('0@catch-all.net')).json()).toMatchObject({
      alreadyExists: true,
    })
    expect(await countRows(app.database)).toMatchObject({ deliveries: 50 })
  })

  test('is not used up by one address that asks 150 times', async () => {
    const app = await testApp({ config: { hideAlreadyExists: true } })
    await Promise.all(Array.from({ length: 150 }, () => app.signUp('mallory@university.edu')))
    expect(await statuses(app, ['student@university.edu'])).toEqual([200])
    await expect
      .poll(() => app.mailer.addresses().toSorted())
      .toEqual(['mallory@university.edu', 'student@university.edu'])
  })

  test.each(['gmail.com', 'pm.me', 'web.de', 'example.com', 'load.test'])(
    'does not apply to %s',
    async (domain) => {
      const app = await testApp({ config: { mailsPerAddressADay: 1 } })
      expect(new Set(await statuses(app, many(51, domain)))).toEqual(new Set([200]))
    },
  )

  test('stores no domain and no network in plain text', async () => {
    const app = await testApp({ config: { signUpsPerNetworkIn10Minutes: 20 } })
    await statuses(app, ['ada@catch-all.net'])
    const limits = await app.database.rows(sql`select name from limits`)
    expect(limits).toEqual([{ name: expect.stringMatching(/^domain [\w-]{22}$/) }])
    const networks = await app.database.rows(sql`select network from networks`)
    expect(networks).toEqual([{ network: expect.stringMatching(/^[\w-]{22}$/) }])
  })

  test('counts the subdomains of a domain together', async () => {
    const app = await testApp({ config: { mailsPerAddressADay: 1 } })
    const addresses = Array.from({ length: 50 }, (_, index) => `ada@s${index}.catch-all.co.uk`)
    expect(new Set(await statuses(app, addresses))).toEqual(new Set([200]))
    expect(await statuses(app, ['ada@catch-all.co.uk', 'bob@a.b.catch-all.co.uk'])).toEqual([
      429, 429,
    ])
    expect(await statuses(app, ['ada@other.co.uk'])).toEqual([200])
  })

  test('counts names below a public suffix such as duckdns.org separately', async () => {
    const app = await testApp({ config: { mailsPerAddressADay: 1 } })
    await statuses(app, many(50, 'ada.duckdns.org'))
    expect(await statuses(app, ['x@mail.ada.duckdns.org', 'x@bob.duckdns.org'])).toEqual([429, 200])
  })

  test('holds exactly for two instances of one database', async () => {
    const config = { mailsPerAddressADay: 1 }
    const first = await testApp({ config })
    const second = await testApp({ config, databaseUrl: first.databaseUrl, mailer: first.mailer })
    await statuses(first, many(40, 'catch-all.net'))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? first : second).signUp(`more-${index}@catch-all.net`),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(await countRows(first.database)).toEqual({ subscribers: 50, deliveries: 50 })
  })
})

test('a clock that was ahead and is set back refuses nobody, and holds back no mail', async () => {
  const config = { signUpsPerNetworkIn10Minutes: 3, mailsPerAddressADay: 1 }
  const app = await testApp({ config })
  app.clock.advance(30 * dayMs)
  await statuses(app, ['ada@uni.edu', 'a@uni.edu', 'b@uni.edu', 'c@uni.edu'])
  await expect.poll(() => deliveryStates(app.database)).toEqual(['sent', 'sent', 'sent'])
  app.clock.advance(-30 * dayMs)
  await app.repairClocks()
  const again = await (await app.signUp('ada@uni.edu')).json()
  expect(again).toMatchObject({ success: true, alreadyExists: true })
  expect(Date.parse(again.nextResendAt) - app.clock.now()).toBeLessThanOrEqual(5 * minuteMs)
  expect(await statuses(app, ['ada+tag@uni.edu', 'd@uni.edu', 'e@uni.edu'])).toEqual([
    429, 200, 429,
  ])
})

test('an instance whose clock is behind counts what another one wrote a moment later', async () => {
  const config = { signUpsPerNetworkIn10Minutes: 4, mailsPerAddressADay: 2, siteMailsPerHour: 2 }
  const ahead = await testApp({ config })
  const behind = await testApp({ config, databaseUrl: ahead.databaseUrl, mailer: ahead.mailer })
  ahead.clock.advance(5_000)
  expect(await statuses(ahead, ['ada@uni.edu', 'ada+1@uni.edu'])).toEqual([200, 200])
  await expect.poll(() => deliveryStates(ahead.database)).toEqual(['sent', 'sent'])
  expect(await (await behind.signUp('ada@uni.edu')).json()).toMatchObject({
    alreadyExists: true,
    resentAt: null,
  })
  expect(await statuses(behind, ['ada+2@uni.edu', 'bob@uni.edu'])).toEqual([429, 429])
  await queueMails(behind.database, ['later@uni.edu'], { now: 0 })
  expect(await claimed(behind)).toEqual({ mails: [], isFull: true })
})

test('limits that are off refuse nobody, count nobody and make no mail late', async () => {
  const off = {
    signUpsPerNetworkIn10Minutes: Infinity,
    mailsPerAddressADay: Infinity,
    resendAfterSeconds: 0,
  }
  const app = await testApp({ config: off })
  const tags = Array.from({ length: 30 }, (_, index) => `ada+${index}@uni.edu`)
  expect(new Set(await statuses(app, tags))).toEqual(new Set([200]))
  const mails = await deliveriesIn(app.database)
  expect(new Set(mails.map(({ priority }) => priority))).toEqual(new Set([0]))
  expect(await app.database.rows(sql`select name from limits`)).toEqual([])
  expect(await app.database.rows(sql`select network from networks`)).toEqual([])
})

async function statuses(app: TestApp, emails: readonly string[]): Promise<number[]> {
  const all: number[] = []
  for (const email of emails) all.push((await app.signUp(email)).status)
  return all
}

/** As another worker would claim. */
function claimed({ database, clock }: TestApp) {
  const claim = { worker: 'w', now: clock.now(), maxMails: 4, maxAbove0: 4, ceiling: 2 }
  return database.transaction((transaction) => claimMails(transaction, claim))
}
