import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '#rigs/raw-http.ts'
import { startTestApp, type TestApp, testApp } from '#rigs/server/test-app.ts'
import { badRequests, requestText, sendAll } from './bad-requests.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    clientLimits: { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
  })
})
afterAll(() => app.stop())

test.each(Object.entries(badRequests))(
  'every request of the table %s is refused or cut off, stores nothing, mails nothing and logs no error',
  async (_name, requests) => {
    expect(await sendAll(app.port, requests)).toEqual([])
    const { query } = app.database
    expect(await query.selectFrom('subscribers').select('identity').execute()).toEqual([])
    expect(await query.selectFrom('deliveries').select('id').execute()).toEqual([])
    expect(app.mailer.attempts).toEqual([])
    expect(app.log()).toBe('')
  },
)

test('the tables have more than 700 bad requests', () => {
  expect(Object.values(badRequests).flat().length).toBeGreaterThan(700)
})

test('a good request is accepted after bad ones', async () => {
  const { port } = await testApp()
  await sendAll(port, badRequests['brokenJson'] ?? [])
  expect((await sendRaw(port, requestText())).statuses).toEqual([200])
})
