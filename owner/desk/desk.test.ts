import { expect, test } from 'vitest'
import { testApp } from '#rigs/server/test-app.ts'

const desk = { config: { ownerEmail: 'owner@example.org' } }

test('without OWNER_EMAIL there is no desk', async () => {
  const app = await testApp()
  for (const path of ['/desk', '/desk/people', '/desk/api/today'])
    expect((await fetch(app.url + path)).status).toBe(404)
})

test('without a cookie every address of the API but signing in answers 401', async () => {
  const app = await testApp(desk)
  for (const path of ['today', 'people/1', 'session', 'no-such-thing']) {
    const answer = await fetch(`${app.url}/desk/api/${path}`)
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code: 'signed-out' } }])
  }
})

test('a write from a foreign origin is refused before anything else is looked at', async () => {
  const app = await testApp(desk)
  for (const path of ['sign-in/mail-code', 'people/search', 'no-such-thing']) {
    const headers = { origin: 'https://evil.example' }
    const answer = await fetch(`${app.url}/desk/api/${path}`, { method: 'POST', headers, body: 'not JSON' })
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'foreign-origin' } }])
  }
})
