import * as fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseEmailAddress } from '#contract/email-address.ts'
import { anonKey, functionPath, startTestApp, type TestApp } from '#rigs/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ config: { mailsPerAddressADay: Infinity } })
})
afterAll(() => app.stop())

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
      expect(await statusFor(Buffer.from(body), 'application/json')).toBe(expectedStatus(body))
    }),
    { numRuns: 400 },
  )
  const stored = await app.database.rows<{ address: string }>(sql`select address from subscribers`)
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
  expect(app.log()).not.toContain('"error"')
})

function expectedStatus(body: string): number {
  if (Buffer.byteLength(body) > 4096) return 413
  return hasAddress(body) ? 200 : 400
}

function hasAddress(body: string): boolean {
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
  const answer = await fetch(app.url + functionPath, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}
