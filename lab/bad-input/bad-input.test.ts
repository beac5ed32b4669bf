import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '../rigs/raw-http.ts'
import { startTestApp, type TestApp } from '#rigs/server/test-app.ts'
import { badBodies, badCredentials, badOrigins } from './bad-bodies.ts'
import { badFraming, badHeads } from './bad-framing.ts'
import { badMethods, badPaths } from './bad-targets.ts'
import { badTokens } from './bad-tokens.ts'
import { type BadRequest, requestText } from './request-text.ts'

const atOnce = 250
const tables = {
  badFraming,
  badHeads,
  badMethods,
  badPaths,
  badTokens,
  badBodies,
  badOrigins,
  badCredentials,
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    clientLimits: { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
  })
})
afterAll(() => app.stop())

test.each(Object.entries(tables))(
  'every request of %s is refused or cut off',
  { timeout: 60_000 },
  async (_name, all) => {
    const wrong: string[] = []
    for (let next = 0; next < all.length; next += atOnce) {
      const answers = await Promise.all(all.slice(next, next + atOnce).map(faultOfAnswer))
      wrong.push(...answers.filter((fault) => fault !== undefined))
    }
    expect(wrong).toEqual([])
  },
)

test('bad requests store nothing, mail nothing and log no fault', async () => {
  const { query } = app.database
  expect(await query.selectFrom('subscribers').select('identity').execute()).toEqual([])
  expect(await query.selectFrom('deliveries').select('id').execute()).toEqual([])
  expect(app.mailer.attempts).toEqual([])
  expect(app.log()).toBe('')
})

test('after more than 700 bad requests a good one is accepted', async () => {
  const count = Object.values(tables).reduce((sum, all) => sum + all.length, 0)
  expect(count).toBeGreaterThan(700)
  expect((await sendRaw(app.port, requestText({}))).statuses).toEqual([200])
})

/** Undefined: it was answered with 4xx, or its connection was ended. */
async function faultOfAnswer({ why, bytes }: BadRequest): Promise<string | undefined> {
  const { statuses, ended } = await sendRaw(app.port, bytes)
  if (statuses.length === 0 && !ended) return `${why}: neither answered nor cut`
  const taken = statuses.filter((status) => status < 400 || status >= 500)
  return taken.length > 0 ? `${why}: ${taken.join()}` : undefined
}
