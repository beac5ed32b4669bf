import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendRaw } from '#rigs/raw-http.ts'
import { anonKey, functionPath, startTestApp, type TestApp } from '#rigs/server/test-app.ts'
import { bounceHookPath } from '#owner/deliveries/bounces/bounce-hook.ts'
import { enrol, enrolAgain } from '#server/subscribers/subscribers.ts'
import { badRequests, type RequestParts, requestText, sendAll } from './bad-requests.ts'

const smuggled = 'smuggled@example.com'
const bounceFields = `"RecordType":"Bounce","Type":"HardBounce","Email":"${smuggled}"`
// Links and origins are not the hook's concern. A body of 5,000 bytes is not too large for it: its limit is 64 KiB.
const { tokens: _tokens, origins: _origins, bodies = [], ...others } = badRequests
const tables = Object.entries({
  ...others,
  bodies: bodies.filter((request) => !isLargeSignUp(request)),
  brokenReports: [...(others['brokenJson'] ?? []), ...(others['wrongEncodings'] ?? [])].map(withBounce),
})

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    // The credential that the tables give to the function.
    config: { bounceToken: anonKey },
    clientLimits: { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
  })
})
beforeEach(async () => {
  const newcomers = [{ identity: smuggled, address: smuggled, abuse_key: null }]
  await enrol(app.database.query, newcomers, 0)
  await enrolAgain(app.database.query, newcomers, 0)
})
afterAll(() => app.stop())

test.each(tables)(
  'every request of the table %s is refused or cut off by the bounce hook',
  async (_name, requests) => {
    expect(await sendAll(app.port, requests, toHook)).toEqual([])
    expect(await stateOfSmuggled()).toBe('active')
    expect(app.log()).toBe('')
  },
)

test('random JSON and bytes are accepted or refused, and never cause an error of the server', async () => {
  const value = fc.oneof(fc.constantFrom('Bounce', 'SpamComplaint', 'HardBounce', 'a@b.co'), fc.jsonValue())
  const report = fc.record({ RecordType: value, Type: value, Email: value, BouncedAt: value })
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.oneof(report, fc.jsonValue()).map((json) => Buffer.from(JSON.stringify(json))),
  )
  await fc.assert(
    fc.asyncProperty(body, async (bytes) => {
      expect([200, 400]).toContain(await statusFor(bytes))
    }),
    { numRuns: 300 },
  )
  expect(await stateOfSmuggled()).toBe('active')
  expect(app.log()).toBe('')
})

test('a good report beside them is accepted', async () => {
  expect((await sendRaw(app.port, toHook({}))).statuses).toEqual([200])
  expect(await stateOfSmuggled()).toBe('undeliverable')
})

function toHook(parts: RequestParts): string {
  return requestText(parts).replaceAll(functionPath, bounceHookPath)
}

function isLargeSignUp({ headers, body = '' }: RequestParts): boolean {
  return headers?.['content-type'] === 'application/json' && body.length > 4096 && body.length <= 5000
}

/** Input that is malformed as a sign-up is malformed as a report, too. */
function withBounce<Request extends RequestParts>(request: Request): Request {
  const { body } = request
  return body === undefined
    ? request
    : { ...request, body: body.replaceAll(`"email":"${smuggled}"`, bounceFields) }
}

async function statusFor(body: Buffer<ArrayBuffer>): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${anonKey}` }
  const answer = await fetch(app.url + bounceHookPath, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}

async function stateOfSmuggled() {
  const { query } = app.database
  const found = await query
    .selectFrom('subscribers')
    .select('state')
    .where('identity', '=', smuggled)
    .execute()
  return found[0]?.state
}
