import { expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'

test('/healthz does not depend on the database; /readyz needs it to answer and to be migrated', async () => {
  const app = await testApp()
  expect(await statusOf(app, '/readyz')).toBe(200)
  await app.database.runScript('alter table migrations rename to gone')
  expect(await statusOf(app, '/readyz')).toBe(503)
  expect(await statusOf(app, '/healthz')).toBe(200)
  await app.database.runScript('alter table gone rename to migrations')
  expect(await statusOf(app, '/readyz')).toBe(200)
  await app.database.query.deleteFrom('migrations' as 'settings').execute() // the types do not know this table
  expect(await statusOf(app, '/readyz')).toBe(503)
})

test('while the database is away the page is still served', async () => {
  const app = await testApp()
  await app.database.runScript('alter table subscribers rename to gone')
  expect(await statusOf(app, '/')).toBe(200)
  expect(await statusOf(app, `/kit/${'a'.repeat(22)}`)).toBe(503)
})

test('/metrics is 404 without a token, and for every token but the right one', async () => {
  const closed = await testApp()
  expect(await statusOf(closed, '/metrics', 'Bearer undefined')).toBe(404)
  const app = await testApp({ config: { metricsToken: 'secret' } })
  for (const wrong of [undefined, 'Bearer wrong!', 'Bearer secre', 'Bearer secret2', 'secret'])
    expect(await statusOf(app, '/metrics', wrong)).toBe(404)
  for (const right of ['Bearer secret', 'bearer secret', 'BEARER  secret'])
    expect(await statusOf(app, '/metrics', right)).toBe(200)
})

test('/metrics counts sign-ups, deliveries and unsent mail, and names nobody', async () => {
  const app = await testApp({ config: { metricsToken: 'secret', signUpsPerNetworkIn10Minutes: 3 } })
  await app.signUp('no address')
  await app.signUp('ada@example.com')
  const isSent = async () => expect(await metricsOf(app)).toContain('deliveries_total{outcome="sent"} 1')
  await vi.waitFor(isSent, { timeout: 30_000 })
  await app.signUp('ada@example.com')
  app.mailer.answer(() => new Promise(() => {}))
  await app.signUp('bob@example.com')
  await app.signUp('too-many@example.com')
  app.clock.advance(60_000)
  const text = await metricsOf(app)
  expect(text).toContain('sign_ups_total{outcome="invalid"} 1')
  expect(text).toContain('sign_ups_total{outcome="registered"} 2')
  expect(text).toContain('sign_ups_total{outcome="already-registered"} 1')
  expect(text).toContain('sign_ups_total{outcome="refused"} 1')
  expect(text).toContain('limits_hit_total{limit="network"} 1')
  expect(text).toContain('limits_hit_total{limit="address"} 0')
  expect(text).toContain('deliveries_unsent 1')
  expect(text).toMatch(/deliveries_oldest_unsent_seconds 6\d/)
  expect(text).toContain('send_duration_seconds_count 1')
  expect(text).not.toContain('@')
  await app.database.query.updateTable('deliveries').set({ state: 'cancelled' }).execute()
})

async function statusOf(app: TestApp, path: string, authorization?: string): Promise<number> {
  const answer = await fetch(app.url + path, { headers: authorization ? { authorization } : {} })
  return answer.status
}

async function metricsOf(app: TestApp): Promise<string> {
  const answer = await fetch(`${app.url}/metrics`, { headers: { authorization: 'Bearer secret' } })
  expect(answer.headers.get('content-type')).toContain('version=0.0.4')
  return answer.text()
}
