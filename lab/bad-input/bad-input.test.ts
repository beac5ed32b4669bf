import * as fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseEmailAddress } from '#contract/email-address.ts'
import { sendRaw } from '#rigs/raw-http.ts'
import { countRows } from '#rigs/server/rows.ts'
import { anonKey, functionPath, startTestApp, type TestApp } from '#rigs/server/test-app.ts'
import { badRequests, requestText, sendAll } from './bad-requests.ts'

let app: TestApp
/**
 * With the times that are promised: on a busy machine a whole request may take longer than the
 * others wait.
 */
let patientApp: TestApp
beforeAll(async () => {
  app = await startTestApp({
    limits: { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
  })
  patientApp = await startTestApp({ config: { mailsPerAddressADay: Infinity } })
})
afterAll(() => Promise.all([app.stop(), patientApp.stop()]))

test.each(Object.entries(badRequests))(
  'every request of the table %s is refused or cut off, stores nothing, mails nothing and logs no error',
  async (_name, requests) => {
    expect(await sendAll(app.port, requests)).toEqual([])
    expect(await countRows(app.database)).toEqual({ subscribers: 0, deliveries: 0 })
    expect(app.mailer.attempts).toEqual([])
    expect(app.log()).toBe('')
  },
)

test('the tables have more than 700 bad requests', () => {
  expect(Object.values(badRequests).flat().length).toBeGreaterThan(700)
})

test('a good request is accepted after them', async () => {
  // Its limits are short: a busy machine may be too slow for them.
  await expect.poll(async () => (await sendRaw(app.port, requestText())).statuses).toEqual([200])
})

const address = fc.oneof(fc.emailAddress(), fc.string(), fc.string({ unit: 'binary' }))
const json = fc.oneof(
  fc.json(),
  fc.record({ email: fc.oneof(address, fc.jsonValue()) }).map((body) => JSON.stringify(body)),
  // A good one with characters changed, removed or inserted.
  fc.tuple(fc.nat(30), fc.nat(2), fc.string({ maxLength: 2 })).map(([at, gone, put]) => {
    const good = '{"email":"ada@example.com"}'
    return good.slice(0, at) + put + good.slice(at + gone)
  }),
)

test('random JSON and text is accepted exactly if it holds an address', async () => {
  await fc.assert(
    fc.asyncProperty(json, async (body) => {
      const expected = Buffer.byteLength(body) > 4096 ? 413 : addressIn(body) ? 200 : 400
      expect(await statusFor(Buffer.from(body), 'application/json')).toBe(expected)
    }),
    { numRuns: 400 },
  )
  const stored = await patientApp.database.rows<{ address: string }>(
    sql`select address from subscribers`,
  )
  for (const { address: mailed } of stored) expect(parseEmailAddress(mailed)?.address).toBe(mailed)
})

test('random bytes are refused, and never cause an error of the server', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 })
  const type = fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
  )
  await fc.assert(
    fc.asyncProperty(bytes, type, async (body, mediaType) => {
      expect([400, 413, 415]).toContain(await statusFor(Buffer.from(body), mediaType))
    }),
    { numRuns: 300 },
  )
  expect(patientApp.log()).not.toContain('"error"')
})

function addressIn(body: string): boolean {
  try {
    // Lone surrogates do not survive the way through UTF-8.
    const { email } = Object(JSON.parse(Buffer.from(body).toString()))
    return typeof email === 'string' && parseEmailAddress(email) !== undefined
  } catch {
    return false
  }
}

async function statusFor(body: Buffer<ArrayBuffer>, type: string): Promise<number> {
  const headers = { 'content-type': type, apikey: anonKey }
  const answer = await fetch(patientApp.url + functionPath, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}
