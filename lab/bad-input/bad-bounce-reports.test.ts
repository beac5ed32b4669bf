import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '../rigs/raw-http.ts'
import { anonKey, functionPath, startTestApp, type TestApp } from '#rigs/server/test-app.ts'
import { bounceHookPath } from '#owner/bounces/bounce-hook.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { badBodies, badCredentials } from './bad-bodies.ts'
import { badFraming, badHeads } from './bad-framing.ts'
import { brokenJson, wrongEncodings } from './bad-json.ts'
import { badMethods, badPaths } from './bad-targets.ts'
import { type BadRequest, requestText } from './request-text.ts'

const atOnce = 250
const smuggled = 'smuggled@example.com'
const bounceFields = `"RecordType":"Bounce","Type":"HardBounce","Email":"${smuggled}"`
const tables = {
  badFraming,
  badHeads,
  badMethods,
  badPaths,
  // Those two have room in 64 KiB.
  badBodies: badBodies.filter(({ why }) => !/^(?:4097|5000) bytes of application.json/.test(why)),
  badCredentials,
  brokenReports: [...brokenJson, ...wrongEncodings].map((body) => ({
    why: `report ${body.slice(0, 60)}`,
    bytes: requestText({ body: body.replaceAll(`"email":"${smuggled}"`, bounceFields) }),
  })),
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    // The credential that the tables give to the function.
    config: { bounceToken: anonKey },
    clientLimits: { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
  })
  await enrol(app.database.query, [{ identity: smuggled, address: smuggled, abuse_key: null }], 0)
})
afterAll(() => app.stop())

test.each(Object.entries(tables))(
  'every request of %s is refused or cut off by the bounce hook',
  { timeout: 60_000 },
  async (_name, all) => {
    const wrong: string[] = []
    for (let next = 0; next < all.length; next += atOnce) {
      const answers = await Promise.all(all.slice(next, next + atOnce).map(faultOfAnswer))
      wrong.push(...answers.filter((fault) => fault !== undefined))
    }
    expect(wrong).toEqual([])
    expect(await stateOfSmuggled()).toBe('active')
    expect(app.log()).toBe('')
  },
)

test(
  'random JSON and bytes are accepted or refused, and never cause a fault',
  { timeout: 60_000 },
  async () => {
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
  },
)

test('after hundreds of bad reports a good one is accepted', async () => {
  expect((await sendRaw(app.port, toHook(requestText({})))).statuses).toEqual([200])
  expect(await stateOfSmuggled()).toBe('undeliverable')
  await enrol(app.database.query, [{ identity: smuggled, address: smuggled, abuse_key: null }], 0)
})

function toHook(bytes: string): string {
  return bytes.replaceAll(functionPath, bounceHookPath)
}

/** Undefined: it was answered with 4xx, or its connection was ended. */
async function faultOfAnswer({ why, bytes }: BadRequest): Promise<string | undefined> {
  const { statuses, ended } = await sendRaw(app.port, toHook(bytes))
  if (statuses.length === 0 && !ended) return `${why}: neither answered nor cut`
  const taken = statuses.filter((status) => status < 400 || status >= 500)
  return taken.length > 0 ? `${why}: ${taken.join()}` : undefined
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
