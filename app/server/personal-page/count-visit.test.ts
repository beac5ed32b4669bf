import { request as send } from 'node:http'
import { expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'

const pressed = { 'sec-fetch-user': '?1' }
const onOurPage = { 'sec-fetch-site': 'same-origin' }

test.each<[string, Record<string, string>, 'person' | 'machine', 'person' | 'machine']>([
  ['a press on a link', { ...pressed, 'sec-fetch-site': 'cross-site' }, 'person', 'person'],
  ['a press on <a download>', onOurPage, 'machine', 'person'],
  ['a browser that does not tell presses', { 'sec-fetch-mode': 'navigate' }, 'person', 'person'],
  ['a browser that fetches ahead', { ...pressed, 'sec-purpose': 'prefetch' }, 'machine', 'machine'],
  ['a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' }, 'machine', 'machine'],
  ['a program', {}, 'machine', 'machine'],
])('%s is counted apart', async (_who, headers, onPage, onFiles) => {
  const { app, link } = await appWithSubscriber()
  for (const path of ['', '/ema-crossover.pine', '/setup-guide.pdf', '/setup-guide.pdf', '/unsubscribe'])
    expect(await get(link + path, headers)).toBe(200)
  expect(await visitsOf(app)).toEqual({
    [`page-opened ${onPage}`]: 1,
    [`script-downloaded ${onFiles}`]: 1,
    [`guide-downloaded ${onFiles}`]: 2,
  })
})

test('a file counts once: not when asked about, not when the reader has it, not when a broken download goes on', async () => {
  const { app, link } = await appWithSubscriber()
  const file = `${link}/ema-crossover.pine`
  const { headers } = await fetch(file)
  const statuses = [
    await get(file, {}, 'HEAD'),
    await get(link, {}, 'HEAD'),
    await get(file, { 'if-none-match': headers.get('etag') ?? '' }),
    await get(file, { range: 'bytes=4-' }),
    await get(file, { range: 'bytes=-4' }),
    await get(file, { range: 'bytes=99-' }),
    await get(`${link}/no-such-file`),
  ]
  expect(statuses).toEqual([200, 200, 304, 206, 206, 416, 404])
  expect(await get(file, { range: 'bytes=0-3' })).toBe(206)
  expect(await visitsOf(app)).toEqual({ 'script-downloaded machine': 2 })
})

test('unsubscribing counts once, erasing counts', async () => {
  const { app, link } = await appWithSubscriber()
  for (let turn = 0; turn < 3; turn += 1) await get(`${link}/unsubscribe`, {}, 'POST')
  await get(`${link}/erase`, {}, 'POST')
  expect(await visitsOf(app)).toEqual({ unsubscribed: 1, erased: 1 })
})

async function appWithSubscriber() {
  const app = await testApp()
  await app.signUp('ada@example.com')
  await vi.waitFor(() => expect(app.log()).toContain('delivery sent'), { timeout: 5_000 })
  const { query } = app.database
  const { token } = await query.selectFrom('subscribers').select('token').executeTakeFirstOrThrow()
  return { app, link: `${app.url}/kit/${token}` }
}

/** Not by fetch, which tells that it is one. */
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    send(url, { method, headers }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
      .on('error', reject)
      .end()
  })
}

/** What was counted after the sign-up and its mail. */
async function visitsOf(app: TestApp): Promise<Record<string, number>> {
  const counts = await app.countsAtStop()
  const ofTheSignUp = new Set(['signed-up program', 'came-from none', 'delivered'])
  return Object.fromEntries(Object.entries(counts).filter(([name]) => !ofTheSignUp.has(name)))
}
