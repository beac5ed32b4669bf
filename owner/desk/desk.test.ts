import { expect, test } from 'vitest'
import { codesIn, deskApp, deskBrowser, signedIn } from '#rigs/owner/test-desk.ts'
import { ownerOf } from '#rigs/owner/owner-terminal.ts'
import { testApp } from '#rigs/server/test-app.ts'

test('without OWNER_EMAIL there is no desk', async () => {
  const app = await testApp()
  for (const path of ['/desk', '/desk/people', '/desk/api/today'])
    expect((await fetch(app.url + path)).status).toBe(404)
})

test.each([
  ['http://desk.example', true],
  ['https://desk.example', false],
  ['http://localhost:3000', false],
])('at %s the log says that browsers refuse the cookie: %s', async (publicUrl, isSaid) => {
  const app = await deskApp({ config: { publicUrl } })
  await app.stopServer() // the log is written by then
  expect(app.log().includes('nobody can sign in at the desk')).toBe(isSaid)
})

test('without a cookie every address of the API but signing in answers 401', async () => {
  const app = await deskApp()
  for (const path of ['today', 'people/1', 'session', 'no-such-thing']) {
    const answer = await fetch(`${app.url}/desk/api/${path}`)
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code: 'signed-out' } }])
  }
})

test('a write from a foreign origin is refused before any other check', async () => {
  const app = await deskApp()
  for (const path of ['sign-in/mail-code', 'people/search', 'no-such-thing']) {
    const headers = { origin: 'https://evil.example' }
    const answer = await fetch(`${app.url}/desk/api/${path}`, { method: 'POST', headers, body: 'not JSON' })
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'foreign-origin' } }])
  }
})

test('a scanner that fetches every link by HEAD and GET spends neither a code nor a link', async () => {
  const app = await deskApp()
  const owner = ownerOf(app.databaseUrl, { OWNER_EMAIL: 'owner@example.org' }, { now: app.clock.now })
  const link = new URL((await owner('desk-link')).printed.trim())
  const browser = deskBrowser(app)
  const code = await browser.askForCode()
  const mail = app.mailer.attempts.at(-1)!.message.text
  const inMail = mail.match(/https?:\S+/g)?.map((address) => new URL(address).pathname) ?? []
  const api = ['mail-code', 'code', 'link', 'passkey', 'passkey-options'].map((name) => `sign-in/${name}`)
  const paths = [...inMail, link.pathname, ...api.map((path) => `/desk/api/${path}`)]
  for (const path of paths)
    for (const method of ['HEAD', 'GET']) await fetch(app.url + path, { method, headers: cookiesOf(browser) })
  expect(codesIn(app)).toHaveLength(1)
  expect((await browser.call('POST sign-in/code', { code })).status).toBe(200)
  expect((await deskBrowser(app).call('POST sign-in/link', { token: link.hash.slice(1) })).status).toBe(200)
})

test('while the database is away the API of the desk answers 503 in JSON', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  await app.database.runScript('alter table daily_counts rename to gone')
  const away = { status: 503, body: { error: { code: 'database-away' } } }
  expect(await desk.call('GET today', { days: 28 })).toMatchObject(away)
  await app.database.runScript('alter table desk_sessions rename to gone_too')
  expect(await desk.call('GET session', {})).toMatchObject(away)
  const answer = await desk.call('POST session/sign-out', {})
  expect(answer).toMatchObject(away)
  expect(answer.headers.get('retry-after')).toBe('30')
})

test('a body that is too long or not a JSON object is refused in JSON', async () => {
  const app = await deskApp()
  const headers = { 'content-type': 'application/json', ...cookiesOf(await signedIn(app)) }
  for (const body of ['', '[]', 'null', '{', `{"text":"${'x'.repeat(70_000)}"}`]) {
    const answer = await fetch(`${app.url}/desk/api/people/search`, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toMatchObject([422, { error: { code: 'invalid' } }])
  }
  for (const fields of [{ text: 1 }, { who: 'nobody' }, { from: '2026-13-01' }, { below: -1 }]) {
    const body = JSON.stringify(fields)
    const answer = await fetch(`${app.url}/desk/api/people/search`, { method: 'POST', headers, body })
    expect(answer.status).toBe(422)
  }
})

function cookiesOf({ cookies }: ReturnType<typeof deskBrowser>): { cookie: string } {
  return { cookie: Array.from(cookies, (pair) => pair.join('=')).join('; ') }
}
