import { expect, test } from 'vitest'
import { testApp } from '#rigs/server/test-app.ts'

test('the landing page counts when it is sent, people and machines apart, and not when the browser has it', async () => {
  const app = await testApp()
  const view = (headers: Record<string, string> = {}, method = 'GET') => fetch(app.url, { method, headers })
  const { headers } = await view()
  await view({ 'sec-fetch-user': '?1', 'sec-fetch-site': 'cross-site' })
  await view({ 'sec-fetch-user': '?1' })
  await view({ 'sec-fetch-user': '?1', 'sec-purpose': 'prefetch' })
  expect((await view({ 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
  await view({}, 'HEAD')
  await fetch(`${app.url}/no-such-page`)
  expect(await app.countsAtStop()).toEqual({ 'landing-viewed machine': 2, 'landing-viewed person': 2 })
})

test('a landing page that the browser has keeps its content security policy', async () => {
  const { url } = await testApp()
  const { headers } = await fetch(url)
  const unchanged = await fetch(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  expect(unchanged.status).toBe(304)
  const policy = headers.get('content-security-policy')
  expect(policy).toContain("script-src 'self'")
  expect(unchanged.headers.get('content-security-policy')).toBe(policy)
})
