import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '#rigs/raw-http.ts'
import { startTestApp, type TestApp } from '#rigs/server/test-app.ts'
import { badRequests, requestText, sendAll } from './bad-requests.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    clientLimits: { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
  })
})
afterAll(() => app.stop())

test.each(Object.entries(badRequests))(
  'every request of the table %s is refused or cut off',
  async (_name, requests) => {
    expect(await sendAll(app.port, requests)).toEqual([])
  },
)

test('bad requests store nothing, mail nothing and log no error', async () => {
  const { query } = app.database
  expect(await query.selectFrom('subscribers').select('identity').execute()).toEqual([])
  expect(await query.selectFrom('deliveries').select('id').execute()).toEqual([])
  expect(app.mailer.attempts).toEqual([])
  expect(app.log()).toBe('')
})

test('after more than 700 bad requests a good one is accepted', async () => {
  const count = Object.values(badRequests).flat().length
  expect(count).toBeGreaterThan(700)
  expect((await sendRaw(app.port, requestText())).statuses).toEqual([200])
})
