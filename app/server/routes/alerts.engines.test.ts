import { METHODS } from 'node:http'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { TestAddressState } from '#contract/test-address.ts'
import {
  act,
  countsIn,
  linkOf,
  newSubscriber,
  ownOrigin,
  type TestApp,
  type TestAppOptions,
  testApp,
} from '#rigs/server/test-app.ts'
import { newToken } from '../subscribers/subscribers.ts'
import { dropEndedAddresses } from '../test-address/test-addresses.ts'

const dayMs = 24 * 60 * 60_000
const entry = '{"ticker": "BTCUSD", "action": "buy", "sentiment": "long", "signalPrice": 107.09}'
const exit = '{"ticker": "BTCUSD", "action": "sell", "sentiment": "flat", "signalPrice": 109.05}'

test('a message at a test address is answered with 200 whatever its type, and read on the page', async () => {
  const { app, path, state } = await openAddress()
  for (const type of ['application/json', 'text/plain; charset=utf-8', 'a b; c', undefined]) {
    const answer = await post(app, path, entry, type)
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
  }
  const { arrivals, endsAt } = await state()
  expect(arrivals.map(({ contentType }) => contentType)).toEqual([
    '',
    'a b; c',
    'text/plain; charset=utf-8',
    'application/json',
  ])
  expect(arrivals[3]).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    contentType: 'application/json',
    fromTradingView: false,
    message: entry,
    verdict: 'Buys BTCUSD at the market, size as set at TradersPost. Nothing wrong found.',
  })
  expect(Date.parse(endsAt ?? '') - app.clock.now()).toBeGreaterThan(dayMs - 60_000)
})

test('any sender and any origin may post to a test address, and the senders of TradingView are named', async () => {
  const { app, path, state } = await openAddress({ config: { trustedProxies: 1 } })
  const from = (address: string) =>
    post(app, path, 'x', 'text/plain', {
      'x-forwarded-for': `9.9.9.9, ${address}`,
      origin: 'https://elsewhere.example',
      'sec-fetch-site': 'cross-site',
    })
  for (const address of ['52.89.214.238', '[::ffff:52.32.178.7]:443', '52.89.214.239']) {
    expect((await from(address)).status).toBe(200)
  }
  expect((await state()).arrivals.map((one) => one.fromTradingView)).toEqual([false, true, true])
})

test('a first alert is done with a whole entry and a whole exit, and each step counts once for a person', async () => {
  const { app, path, state, open, link } = await openAddress()
  await post(app, path, `${entry.slice(0, -1)}, "price": 1}`)
  expect(await state()).toMatchObject({ entrySeen: false, exitSeen: false })
  await post(app, path, exit)
  expect(await state()).toMatchObject({ entrySeen: false, exitSeen: true })
  await post(app, path, entry)
  await post(app, path, entry)
  expect(await state()).toMatchObject({ entrySeen: true, exitSeen: true })
  expect((await app.inject(link)).body).toContain('One entry and one exit arrived')
  app.later(dayMs)
  await post(app, await open(), entry)
  const counts = await countsIn(app.database)
  expect(Object.entries(counts).filter(([name]) => name.startsWith('first-alert'))).toEqual([
    ['first-alert both', 1],
    ['first-alert entry', 1],
    ['first-alert opened', 1],
  ])
})

test('a first alert with “Long and short” is done too: an entry the other way is the exit', async () => {
  const { app, path, state } = await openAddress()
  const short = entry.replace('buy', 'sell').replace('long', 'short')
  await post(app, path, short)
  expect(await state()).toMatchObject({ entrySeen: true, exitSeen: false })
  await post(app, path, entry)
  await post(app, path, short)
  expect(await state()).toMatchObject({ entrySeen: true, exitSeen: true })
})

test('a person has one test address at a time; "Stop" ends it, and deletes what arrived', async () => {
  const { app, path, open, link, state } = await openAddress()
  expect(await open()).toBe(path)
  await post(app, path, entry)
  await app.inject({
    method: 'POST',
    url: `${link}/test-address`,
    payload: 'stop=1',
    headers: form,
  })
  expect(await state()).toEqual({
    address: null,
    endsAt: null,
    arrivals: [],
    entrySeen: false,
    exitSeen: false,
  })
  expect((await post(app, path, entry)).status).toBe(404)
  expect(await rowsIn(app, 'test_arrivals')).toBe(0)
  expect(await open()).not.toBe(path)
})

test('a test address ends after 24 hours, and is deleted with what arrived', async () => {
  const { app, path, state } = await openAddress()
  await post(app, path, entry)
  app.clock.advance(dayMs - 60_000)
  expect((await post(app, path, entry)).status).toBe(200)
  app.clock.advance(60_000)
  expect((await post(app, path, entry)).status).toBe(404)
  expect((await state()).endsAt).toBeNull()
  await dropEndedAddresses(app.database, app.clock.now())
  expect(await rowsIn(app, 'test_addresses')).toBe(0)
  expect(await rowsIn(app, 'test_arrivals')).toBe(0)
})

test('erasing a person erases their test address', async () => {
  const { app, path, address } = await openAddress()
  await post(app, path, entry)
  await act(app, address, 'erase')
  expect((await post(app, path, entry)).status).toBe(404)
  expect(await rowsIn(app, 'test_arrivals')).toBe(0)
})

test('a test address keeps the newest twenty messages', async () => {
  const { app, path, state } = await openAddress()
  for (let number = 1; number <= 22; number += 1) await post(app, path, `message ${number}`)
  const { arrivals } = await state()
  expect(arrivals.map(({ message }) => message)).toEqual(
    Array.from({ length: 20 }, (_, index) => `message ${22 - index}`),
  )
  expect(await rowsIn(app, 'test_arrivals')).toBe(20)
})

test('a test address takes 60 messages a minute, also on two servers of one database, and writes none above', async () => {
  const { app, path } = await openAddress()
  const other = await testApp({ databaseUrl: app.databaseUrl })
  const answers = await Promise.all(
    Array.from({ length: 66 }, (_, number) => post(number % 2 ? app : other, path, entry)),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 200).length).toBe(60)
  expect(refused.length).toBe(6)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await app.database.rows(sql`select used from limits`)).toEqual([{ used: 60 }])
  app.clock.advance(60_000)
  expect((await post(app, path, entry)).status).toBe(200)
})

test('a test address takes messages of 4 KiB, and none above', async () => {
  const { app, path, state } = await openAddress()
  expect((await post(app, path, 'a'.repeat(4096))).status).toBe(200)
  expect((await post(app, path, 'a'.repeat(4097))).status).toBe(413)
  expect((await state()).arrivals.length).toBe(1)
})

test('a test address, known or not, refuses other methods than POST, also at another name of the site', async () => {
  const { app, path } = await openAddress()
  for (const method of METHODS.filter((one) => one !== 'POST' && one !== 'CONNECT')) {
    for (const url of [path, `/alerts/${newToken()}?x=/`]) {
      const headers = { host: 'www.bot.example' }
      const answer = await app.inject({ method: method as 'GET', url, headers })
      expect([method, answer.statusCode, answer.headers['allow']]).toEqual([method, 405, 'POST'])
    }
  }
})

test.each(['GET', 'POST', 'PROPFIND'])(
  '%s below a test address gets the 404 page',
  async (method) => {
    const { app, path } = await openAddress()
    const { body: page } = await app.inject('/nowhere')
    for (const url of [`${path}/x`, `${path}/`, '/alerts//']) {
      const answer = await app.inject({ method: method as 'GET', url })
      expect([url, answer.statusCode, answer.body]).toEqual([url, 404, page])
    }
  },
)

test('a post to an unknown or malformed test address gets 404, and writes nothing', async () => {
  const { app, path } = await openAddress()
  for (const key of [newToken(), path.slice(8).toUpperCase(), `${path.slice(8)}x`, '%00', 'x']) {
    expect((await post(app, `/alerts/${key}`, 'a'.repeat(5000))).status).toBe(404)
  }
  expect(await rowsIn(app, 'test_arrivals')).toBe(0)
  expect(await rowsIn(app, 'limits')).toBe(0)
})

test('the secrets of a message are masked before it is stored, and any bytes are taken', async () => {
  const { app, path, state } = await openAddress()
  await post(app, path, '601234567890,buy,EURUSD,vol_lots=0.01')
  await post(app, path, Buffer.from([0, 0xff, 0x41, 0x0d, 0x0a, 0x1b]))
  await post(app, path, '')
  expect((await state()).arrivals.map(({ message }) => message)).toEqual([
    '',
    '\u{FFFD}\u{FFFD}A\n\u{FFFD}',
    '•••,buy,EURUSD,vol_lots=0.01',
  ])
  const stored = await app.database.rows(sql`select * from test_arrivals`)
  expect(JSON.stringify(stored)).not.toContain('601234567890')
})

test('what a stranger posts to a test address is text on the page', async () => {
  const { app, path, link } = await openAddress()
  await post(app, path, '<script>alert(1)</script> {address}', 'a/b{token}<i>')
  const { body } = await app.inject(link)
  expect(body).toContain('a/b{token}&#60;i&#62;')
  expect(body).toContain('&#60;script&#62;alert(1)&#60;/script&#62; {address}')
})

test.each([
  'http://bot.example',
  'https://bot.example:8443',
  'https://10.0.0.7',
  'https://203.0.113.5',
  'https://bot.local',
])(
  'where TradingView cannot reach the site (%s) no test address is opened, and the page says why',
  async (publicUrl) => {
    const app = await testApp({ config: { publicUrl } })
    const { address } = await newSubscriber(app)
    const link = await linkOf(app, address)
    const answer = await app.inject({ method: 'POST', url: `${link}/test-address` })
    expect(answer.body).toContain('test-address-missing')
    expect(await rowsIn(app, 'test_addresses')).toBe(0)
  },
)

test('only the page’s own origin opens a test address', async () => {
  const { app, link } = await openAddress()
  const headers = { origin: 'https://elsewhere.example' }
  const answer = await app.inject({ method: 'POST', url: `${link}/test-address`, headers })
  expect(answer.statusCode).toBe(403)
  expect((await app.inject(`/kit/${newToken()}/alerts`)).statusCode).toBe(404)
})

async function rowsIn({ database }: TestApp, table: string): Promise<number> {
  return (await database.rows(sql`select 1 from ${raw(table)}`)).length
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function openAddress(options: TestAppOptions = {}) {
  const app = await testApp(options)
  const { address } = await newSubscriber(app)
  const link = await linkOf(app, address)
  const state = async (): Promise<TestAddressState> => (await app.inject(`${link}/alerts`)).json()
  /** Returns the path of the address. */
  async function open() {
    await act(app, address, 'test-address')
    const shown = (await state()).address ?? ''
    expect(shown).toMatch(/^https:\/\/bot\.example\/alerts\/[\w-]{22}$/)
    return shown.slice(ownOrigin.length)
  }
  return { app, address, link, state, open, path: await open() }
}

function post(
  app: TestApp,
  path: string,
  body: string | Buffer,
  type?: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  // Bytes, because fetch would choose a type for text.
  const bytes = new Uint8Array(Buffer.from(body))
  return fetch(app.url + path, {
    method: 'POST',
    body: bytes,
    headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
  })
}
