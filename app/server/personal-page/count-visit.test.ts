import { request as send } from 'node:http'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'

const gesture = { 'sec-fetch-user': '?1' }
const onOurPage = { 'sec-fetch-site': 'same-origin' }

test.each<[string, Record<string, string>, 'person' | 'machine', 'person' | 'machine']>([
  ['a click on a link', { ...gesture, 'sec-fetch-site': 'cross-site' }, 'person', 'person'],
  ['a click on <a download>', onOurPage, 'machine', 'person'],
  ['a browser that does not report gestures', { 'sec-fetch-mode': 'navigate' }, 'person', 'person'],
  ['a browser that prefetches', { ...gesture, 'sec-purpose': 'prefetch' }, 'machine', 'machine'],
  ['a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' }, 'machine', 'machine'],
  ['a program', {}, 'machine', 'machine'],
])('a visit by %s is counted as a person or a machine', async (_who, headers, onPage, onFiles) => {
  const { app, link } = await appWithSubscriber()
  for (const path of ['', '/ema-crossover.pine', '/setup-guide.pdf', '/setup-guide.pdf', '/unsubscribe'])
    expect(await get(link + path, headers)).toBe(200)
  expect(await visitsOf(app)).toEqual({
    [`page-opened ${onPage}`]: 1,
    [`script-downloaded ${onFiles}`]: 1,
    [`guide-downloaded ${onFiles}`]: 2,
  })
})

test('a download counts once: not for HEAD, not if the reader has the file, not for the rest of a broken download', async () => {
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

test('an unsubscription counts once, an erasure counts', async () => {
  const { app, link } = await appWithSubscriber()
  for (let turn = 0; turn < 3; turn += 1) await get(`${link}/unsubscribe`, {}, 'POST')
  await get(`${link}/erase`, {}, 'POST')
  expect(await visitsOf(app)).toEqual({ unsubscribed: 1, erased: 1 })
})

async function appWithSubscriber() {
  const app = await testApp()
  await app.signUp('ada@example.com')
  await expect.poll(() => app.log()).toContain('delivery sent')
  const { query } = app.database
  const { token } = await query.selectFrom('subscribers').select('token').executeTakeFirstOrThrow()
  return { app, link: `${app.url}/kit/${token}` }
}

/** Without fetch, which sends Sec-Fetch-Mode. */
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    send(url, { method, headers }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
      .on('error', reject)
      .end()
  })
}

/** The counts without those of the sign-up and its mail. */
async function visitsOf(app: TestApp): Promise<Record<string, number>> {
  const counts = await app.countsAtStop()
  const ofTheSignUp = new Set(['signed-up program', 'came-from none', 'delivered'])
  return Object.fromEntries(Object.entries(counts).filter(([name]) => !ofTheSignUp.has(name)))
}
