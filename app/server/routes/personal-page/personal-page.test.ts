import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ada, appWithSubscriber } from '#rigs/server/personal-page.ts'
import { deliveryStates } from '#rigs/server/rows.ts'
import { linkOf, newSubscriber, type TestApp, testApp } from '#rigs/server/test-app.ts'
import { dayMs } from '../../database/clock.ts'
import { newToken } from '../../subscribers/subscribers.ts'

const byPerson = { 'sec-fetch-mode': 'navigate' }

describe('the personal page', () => {
  test('shows kit and address, and may neither be cached nor indexed', async () => {
    const { app, link } = await appWithSubscriber()
    for (const path of [
      link,
      `${link}/ema-crossover.pine`,
      `${link}/unsubscribe`,
      `/kit/${newToken()}`,
    ]) {
      const { headers } = await app.inject(path)
      expect(headers).toMatchObject({
        // Cloudflare hides addresses, unless it may transform nothing.
        'cache-control': path.endsWith('.pine') ? 'no-store' : 'no-store, no-transform',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
    }
    const answer = await app.inject(link)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain(`<h1>kit</h1> ${ada}`)
    expect(answer.body).toContain('what-changed-1.1.0-off')
    expect(app.log()).not.toContain('ada')
  })

  test.each(['br', 'gzip'])(
    'is sent with the coding %s to a client that reads it',
    async (coding) => {
      const { app, link } = await appWithSubscriber()
      const answer = await fetch(app.url + link, { headers: { 'accept-encoding': coding } })
      expect(answer.headers.get('content-encoding')).toBe(coding)
      expect(await answer.text()).toContain(ada)
    },
  )

  test('gives its files as downloads, with ranges and an ETag', async () => {
    const { app, link } = await appWithSubscriber()
    const script = await app.inject(`${link}/ema-crossover.pine`)
    expect(script.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="ema-crossover.pine"',
    })
    expect(script.body).toMatch(/^\/\/@version/)
    const url = `${link}/setup-guide.pdf`
    const part = await app.inject({ url, headers: { range: 'bytes=1-3' } })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([
      206,
      'PDF',
      'bytes 1-3/8',
    ])
    const etag = String((await app.inject(url)).headers.etag)
    expect((await app.inject({ url, headers: { 'if-none-match': etag } })).statusCode).toBe(304)
  })

  test('does not change by GET or HEAD, nor does any address below it', async () => {
    const { app, link } = await appWithSubscriber()
    const before = await everything(app)
    const below = [
      '/ema-crossover.pine',
      '/unsubscribe',
      '/announcements',
      '/block',
      '/unblock',
      '/erase',
      '/taken',
      '/',
      '?a=erase',
    ]
    for (const path of ['', ...below]) {
      for (const method of ['GET', 'HEAD'] as const) {
        expect((await app.inject({ method, url: link + path })).statusCode, path).toBeLessThan(500)
      }
    }
    expect(await everything(app)).toEqual(before)
    expect((await app.inject(`${link}/unsubscribe`)).body).toContain('<h1>unsubscribe</h1>')
  })

  test('says what changed since the version in the newest mail, whatever the day', async () => {
    const app = await testApp()
    const { site } = app.context
    const [newest, ...older] = site.current.releases
    await site.change(async (now) => ({ ...now, releases: older }))
    await app.signUp(ada)
    await site.change(async (now) => ({ ...now, releases: [newest!, ...older] }))
    const link = await linkOf(app, ada)
    expect((await app.inject(link)).body).toContain('what-changed-1.0.0-off')
    await expect.poll(() => deliveryStates(app.context.database)).toEqual(['sent'])
    app.clock.advance(dayMs)
    await app.signUp(ada)
    expect((await app.inject(link)).body).toContain('what-changed-1.1.0-off')
  })

  test('takes no version of another script for theirs, also if it has the same number', async () => {
    const app = await testApp()
    await app.signUp(ada)
    const link = await linkOf(app, ada)
    await app.context.site.change(async (now) => {
      const [newest, ...older] = now.releases
      return { ...now, releases: [{ ...newest!, date: '2999-01-02' }, ...older] }
    })
    expect((await app.inject(link)).body).toContain('what-changed--off')
  })

  test('names no version for somebody whose mail had none', async () => {
    const app = await testApp()
    const link = await linkOf(app, (await newSubscriber(app)).address)
    expect((await app.inject(link)).body).toContain('what-changed--off')
  })

  test('is not found for a token in another case, with more characters, or with an unknown action', async () => {
    const { app, link } = await appWithSubscriber()
    const swapped = link.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase())
    for (const other of [swapped, `${link}x`, `${link}%20x`, `${link}/secret`]) {
      expect((await app.inject(other)).body, other).toContain('<h1>kit-not-found</h1>')
    }
    for (const path of ['', '/secret', '/unsubscribe/more']) {
      expect((await app.inject({ method: 'POST', url: link + path })).statusCode, path).toBe(404)
    }
  })

  test('counts visits of people and machines, once for each page and file', async () => {
    const { app, link } = await appWithSubscriber({ 'x-attribution': 'form=hero&campaign=forum' })
    const get = (path: string, headers = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
      app.inject({ method, url: link + path, headers })
    await get('', byPerson)
    await get('')
    await get('', byPerson, 'HEAD')
    await get('', { ...byPerson, 'sec-purpose': 'prefetch' })
    await get('/ema-crossover.pine', { 'sec-fetch-site': 'same-origin' })
    await get('/setup-guide.pdf', { range: 'bytes=0-3' })
    await get('/setup-guide.pdf', { range: 'bytes=4-7' })
    await get('/taken', {}, 'POST')
    expect(await app.countsAtStop()).toMatchObject({
      'page-opened person': 1,
      'page-opened machine': 2,
      'opened-from forum': 1,
      'script-downloaded person': 1,
      'guide-downloaded machine': 1,
      'taken-from forum': 2,
    })
  })
})

test('a fault on the personal page gets a page without a form, which could sign up', async () => {
  const { app, link } = await appWithSubscriber()
  await app.database.script('alter table test_addresses rename to gone')
  // On PostgreSQL a later test gets the same database.
  onTestFinished(() => app.database.script('alter table gone rename to test_addresses'))
  const answer = await app.inject({ url: link, headers: { accept: 'text/html' } })
  expect([answer.statusCode, answer.body]).toEqual([500, expect.stringContaining('failure')])
  expect(answer.body).not.toContain('result-error')
})

describe('a link with what stood behind it in a text', () => {
  test.each(
    ['.', ',', ')', '%3E', ').', '/', '*', '_', '%E2%80%9D', '.?utm_source=x'].concat([
      '%20',
      '%0D%0A',
      '&gt;',
    ]),
  )('leads to the page: "%s"', async (behind) => {
    const { app, link } = await appWithSubscriber()
    for (const path of [link, `${link}/unsubscribe`, `${link}/setup-guide.pdf`]) {
      const answer = await app.inject(path + behind)
      expect([answer.statusCode, answer.headers.location]).toEqual([302, path])
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
    }
  })

  test.each(['x', 'xyz.', '/nothing', '%zz', '//evil.example'])(
    'with more behind it is not found: "%s"',
    async (behind) => {
      const { app, link } = await appWithSubscriber()
      expect((await app.inject(link + behind)).statusCode).toBeGreaterThanOrEqual(400)
    },
  )
})

test('a form whose fields come twice is read', async () => {
  const { app, link } = await appWithSubscriber()
  for (const action of ['announcements', 'news', 'ask', 'test-address', 'unsubscribe']) {
    const answer = await app.inject({
      method: 'POST',
      url: `${link}/${action}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'bot.example' },
      payload:
        'place=mail&place=mail&wording=a&wording=b&announcements=on&announcements=on&stop=1&stop=1',
    })
    expect([action, answer.statusCode]).toEqual([action, 200])
  }
})

async function everything({ database }: TestApp) {
  return {
    subscribers: await database.rows(sql`select * from subscribers`),
    deliveries: await database.rows(sql`select * from deliveries`),
    settings: await database.rows(sql`select * from settings order by name`),
  }
}
