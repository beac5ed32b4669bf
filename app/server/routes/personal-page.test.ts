import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { whatChanged } from '#content/pages/what-changed.ts'
import { countRows, deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import {
  act,
  countsIn,
  emptyExtension,
  linkOf,
  newSubscriber,
  ownOrigin,
  type TestApp,
  testApp,
} from '#rigs/server/test-app.ts'
import { dayMs } from '../database/clock.ts'
import { newToken } from '../subscribers/subscribers.ts'
import { wordingsOf } from '../subscribers/wordings.ts'

const ada = 'ada@example.com'
const wording = wordingsOf(defaultContent).news.switch
const foreign = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }
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
    app.clock.advance(dayMs)
    await app.signUp(ada)
    expect((await app.inject(link)).body).toContain('what-changed-1.1.0-off')
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

describe('the switch for mail about new versions', () => {
  test('is off at first; a POST turns it on and off, and the answer is the page itself', async () => {
    const { app, link } = await appWithSubscriber()
    const on = await post(app, `${link}/announcements`, { announcements: 'on' })
    expect(on.statusCode).toBe(200)
    expect(on.body).toContain('what-changed-1.1.0-on')
    const agreed = await consent(app)
    expect(agreed).toEqual({
      announcements_agreed_at: expect.any(Number),
      announcements_wording: wording.hash,
      announcements_refused_at: null,
    })
    app.clock.advance(60_000)
    await post(app, `${link}/announcements`, { announcements: 'on' })
    expect(await consent(app), 'the first time stays').toEqual(agreed)
    expect((await post(app, `${link}/announcements`, { announcements: 'off' })).body).toContain(
      '-off',
    )
    expect(await consent(app)).toEqual({
      announcements_agreed_at: null,
      announcements_wording: null,
      announcements_refused_at: expect.any(Number),
    })
    const words = await app.database.row<{ content: string }>(
      sql`select content from wordings where hash = ${wording.hash}`,
    )
    expect(words?.content).toContain(whatChanged.announcements.label)
  })

  test('is turned at most ten times a day, and can always be turned off, which is told', async () => {
    const { app, events } = await appThatTells()
    await app.signUp(ada)
    const link = await linkOf(app, ada)
    for (let turn = 0; turn < 12; turn += 1) {
      for (const announcements of ['off', 'on']) {
        await post(app, `${link}/announcements`, { announcements })
      }
    }
    const told = Array.from({ length: 5 }, () => ['left', 'consented']).flat()
    expect(events).toEqual(['joined', ...told, 'left'])
    expect(await consent(app)).toMatchObject({ announcements_agreed_at: null })
    app.clock.advance(24 * 60 * 60_000)
    await post(app, `${link}/announcements`, { announcements: 'on' })
    expect(events.at(-1)).toBe('consented')
  })

  test('is off after leaving the list, until it is turned on after a new sign-up', async () => {
    const { app, link } = await appWithSubscriber()
    for (const action of ['announcements', 'unsubscribe', 'announcements']) {
      await post(app, `${link}/${action}`, { announcements: 'on' })
    }
    expect((await app.inject(link)).body).toContain('-left')
    await app.signUp(ada)
    expect(await consent(app)).toMatchObject({
      announcements_agreed_at: null,
      announcements_wording: null,
    })
    expect((await app.inject(link)).body).toContain('-off')
  })
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

describe('a one-click request of a mail program', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const multipart = { 'content-type': 'multipart/form-data; boundary=xyz' }
  const inParts =
    '--xyz\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--xyz--\r\n'

  test.each([
    ['a form', form, 'List-Unsubscribe=One-Click'],
    ['a form that ends its line', form, 'List-Unsubscribe=One-Click\r\n'],
    ['a form in other letters', form, 'list-unsubscribe=one-click'],
    ['multipart/form-data', multipart, inParts],
    ['a form with its field twice', form, 'List-Unsubscribe=One-Click&List-Unsubscribe=One-Click'],
    ['a form in quotes', form, '"List-Unsubscribe=One-Click"'],
    ['a form that is encoded as a whole', form, 'List-Unsubscribe%3DOne-Click'],
    [
      'a part with a type',
      multipart,
      inParts.replace('\r\n\r\n', '\r\nContent-Type: text/plain\r\n\r\n'),
    ],
    ['JSON', { 'content-type': 'application/json' }, '{"List-Unsubscribe":"One-Click"}'],
    ['a type that is none', { 'content-type': 'text' }, 'List-Unsubscribe=One-Click'],
    ['text', { 'content-type': 'text/plain' }, 'List-Unsubscribe=One-Click\r\n'],
    ['nothing that it names', {}, 'List-Unsubscribe=One-Click'],
    [
      'an unknown type',
      { 'content-type': 'application/octet-stream' },
      'List-Unsubscribe=One-Click',
    ],
  ])(
    'unsubscribes from any origin and host, as %s, any number of times, without a redirect',
    async (_what, type, payload) => {
      const { app, link } = await appWithSubscriber()
      for (const headers of [foreign, {}, { ...foreign, host: 'bot.example' }]) {
        const answer = await app.inject({
          method: 'POST',
          url: `${link}/unsubscribe`,
          headers: { ...type, ...headers },
          payload,
        })
        expect(answer.statusCode).toBe(200)
        expect(answer.body).toContain('<h1>unsubscribed</h1>')
        expect(await subscriberStates(app.database)).toEqual({ [ada]: 'unsubscribed' })
      }
      expect(await app.countsAtStop()).toMatchObject({ unsubscribed: 1 })
    },
  )

  test.each(['/unsubscribe/', '/unsubscribe.', '/unsubscribe%3E', '/Unsubscribe'])(
    'unsubscribes at %s too, which is not redirected',
    async (path) => {
      const { app, link } = await appWithSubscriber()
      const answer = await post(app, link + path, { 'List-Unsubscribe': 'One-Click' }, foreign)
      expect(answer.statusCode).toBe(200)
      expect(await subscriberStates(app.database)).toEqual({ [ada]: 'unsubscribed' })
    },
  )

  test('of an announcement ends mail about versions alone', async () => {
    const { app, link } = await appWithSubscriber()
    await post(app, `${link}/announcements`, { announcements: 'on' })
    await post(app, `${link}/announcements`, { 'List-Unsubscribe': 'One-Click' }, foreign)
    expect(await consent(app)).toMatchObject({
      announcements_agreed_at: null,
      announcements_refused_at: expect.any(Number),
    })
    expect(await subscriberStates(app.database)).toEqual({ [ada]: 'active' })
  })

  test.each(['erase', 'block', 'unblock', 'taken'])('does nothing else: %s', async (action) => {
    const { app, link } = await appWithSubscriber()
    expect(
      (await post(app, `${link}/${action}`, { 'List-Unsubscribe': 'One-Click' }, foreign))
        .statusCode,
    ).toBe(404)
    expect(await subscriberStates(app.database)).toEqual({ [ada]: 'active' })
  })

  test('without its words is refused from a foreign origin or host, like every other action', async () => {
    const { app, link } = await appWithSubscriber()
    for (const action of ['unsubscribe', 'announcements', 'block', 'erase', 'taken']) {
      expect((await post(app, `${link}/${action}`, {}, foreign)).statusCode, action).toBe(403)
      expect(
        (await post(app, `${link}/${action}`, {}, { host: 'evil.example' })).statusCode,
        action,
      ).toBe(421)
    }
    expect(await subscriberStates(app.database)).toEqual({ [ada]: 'active' })
    const fromPage = { origin: 'null', 'sec-fetch-site': 'same-origin', host: 'bot.example' }
    expect((await post(app, `${link}/unsubscribe`, {}, fromPage)).statusCode).toBe(200)
    expect(
      (await post(app, `${link}/erase`, {}, { origin: ownOrigin, host: 'bot.example' })).statusCode,
    ).toBe(200)
  })
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

describe('what is done already is not asked again', () => {
  test.each([
    ['unsubscribe', 'unsubscribe', '<h1>unsubscribed</h1>'],
    ['block', 'unsubscribe', '<h1>blocked</h1>'],
    ['announcements', 'announcements', 'what-changed-1.1.0-off'],
    ['news', 'news', 'what-changed-1.1.0-on'],
  ])('after %s the page of %s says so', async (action, name, page) => {
    const { app, link } = await appWithSubscriber()
    expect((await app.inject(`${link}/${name}`)).body).not.toContain(page)
    await post(app, `${link}/${action}`)
    expect((await app.inject(`${link}/${name}`)).body).toContain(page)
  })

  test('a block is lifted on the personal page too, and one that is not there is not', async () => {
    const { app, link } = await appWithSubscriber()
    expect((await post(app, `${link}/unblock`)).body).toContain('leaving-listed')
    expect(await subscriberStates(app.database)).toEqual({ [ada]: 'active' })
    await post(app, `${link}/block`)
    expect((await app.inject(link)).body).toContain('leaving-blocked')
    expect((await post(app, `${link}/unblock`)).body).toContain('<h1>unblocked</h1>')
    expect((await app.inject(link)).body).toContain('leaving-left')
  })
})

describe('leaving the list', () => {
  test('can be taken back on the personal page: without a mail, and with news off', async () => {
    const { app, events } = await appThatTells()
    await app.signUp(ada)
    await act(app, ada, 'unsubscribe')
    const link = await linkOf(app, ada)
    expect((await app.inject(link)).body).toContain('leaving-left')
    const rows = await countRows(app.database)
    expect((await post(app, `${link}/return`)).body).toContain('leaving-listed')
    expect(await subscriberStates(app.database)).toEqual({ [ada]: 'active' })
    expect(await countRows(app.database)).toEqual(rows)
    await act(app, ada, 'return')
    expect(events).toEqual(['joined', 'left', 'joined'])
  })

  test('by a block is not taken back beside it: the block is lifted first', async () => {
    const { app, link } = await appWithSubscriber()
    await act(app, ada, 'block')
    expect((await post(app, `${link}/return`)).body).toContain('blocked')
    expect(await subscriberStates(app.database)).toEqual({ [ada]: 'blocked' })
  })

  test('is told once, whatever is pressed again', async () => {
    const { app, events } = await appThatTells()
    await app.signUp(ada)
    for (const action of ['unsubscribe', 'unsubscribe']) await act(app, ada, action)
    await app.signUp(ada)
    for (const action of ['block', 'block', 'unblock', 'erase']) await act(app, ada, action)
    expect(events).toEqual(['joined', 'left', 'joined', 'left', 'erased'])
  })

  test('cancels queued mail; a later sign-up counts as new and has the same link', async () => {
    const { app, link } = await appWithSubscriber()
    await app.change(sql`update deliveries set state = 'queued', due_at = ${9e15}`)
    await post(app, `${link}/unsubscribe`)
    expect(await deliveryStates(app.database)).toEqual(['cancelled'])
    expect(await (await app.signUp(ada)).json()).toMatchObject({ alreadyExists: false })
    expect((await app.inject(link)).statusCode).toBe(200)
  })

  test('also applies to somebody whose mail came back, so that no retry puts them back', async () => {
    const { app, link } = await appWithSubscriber()
    await app.change(sql`update subscribers set state = 'undeliverable'`)
    await post(app, `${link}/unsubscribe`)
    expect(await subscriberStates(app.database)).toEqual({ [ada]: 'unsubscribed' })
  })

  test('by "I did not ask for this" blocks every address of the inbox, until its holder lifts that', async () => {
    const app = await testApp()
    for (const email of ['ada+1@example.com', 'ada+2@example.com', 'bob@example.com']) {
      await app.signUp(email)
    }
    const link = await linkOf(app, 'ada+1@example.com')
    expect((await app.inject(`${link}/block`)).body).toContain('<h1>block</h1>')
    expect((await post(app, `${link}/block`)).body).toContain('<h1>blocked</h1>')
    const blocked = {
      'ada+1@example.com': 'blocked',
      'ada+2@example.com': 'blocked',
      'bob@example.com': 'active',
    }
    expect(await subscriberStates(app.database)).toEqual(blocked)
    expect((await app.inject(`${link}/block`)).body).toContain('<h1>blocked</h1>')
    await post(app, `${link}/unsubscribe`)
    expect(await subscriberStates(app.database), 'a block is not lifted by unsubscribing').toEqual(
      blocked,
    )
    expect((await post(app, `${link}/unblock`)).body).toContain('<h1>unblocked</h1>')
    expect(await subscriberStates(app.database)).toMatchObject({
      'ada+1@example.com': 'unsubscribed',
      'ada+2@example.com': 'unsubscribed',
    })
    expect(await (await app.signUp('ada+1@example.com')).json()).toMatchObject({
      alreadyExists: false,
    })
    expect(await app.countsAtStop()).toMatchObject({ blocked: 2 })
  })

  test('by erasing removes rows and link, and keeps the count', async () => {
    const { app, link } = await appWithSubscriber()
    expect((await post(app, `${link}/erase`)).body).toContain('<h1>erased')
    expect(await countRows(app.database)).toEqual({ subscribers: 0, deliveries: 0 })
    expect((await app.inject(link)).statusCode).toBe(404)
    expect((await post(app, `${link}/erase`)).statusCode).toBe(404)
    expect(await app.database.row(sql`select value from settings where name = 'erased'`)).toEqual({
      value: '1',
    })
    expect(await app.countsAtStop()).toMatchObject({ erased: 1 })
  })

  test('by erasing is told when the last traces go: an hour, or once they are overwritten', async () => {
    const { app, link } = await appWithSubscriber()
    const other = await linkOf(app, (await newSubscriber(app)).address)
    const { database } = app.context
    database.leavesTraces = () => false
    expect((await post(app, `${link}/erase`)).body).toContain('<h1>erased</h1>')
    database.leavesTraces = () => true
    expect((await post(app, `${other}/erase`)).body).toContain('<h1>erased-until-overwritten</h1>')
  })

  test('by erasing twice at the same moment is told and counted once', async () => {
    const { app, events } = await appThatTells()
    await app.signUp(ada)
    const url = `${await linkOf(app, ada)}/erase`
    await Promise.all([1, 2].map(() => app.inject({ method: 'POST', url })))
    expect(events).toEqual(['joined', 'erased'])
    expect(await app.countsAtStop()).toMatchObject({ erased: 1 })
  })
})

/** An app with an owner's ring that only listens. */
async function appThatTells() {
  const events: string[] = []
  const recordEvent = () => async (_transaction: unknown, event: string) => void events.push(event)
  const app = await testApp({
    extension: { ...emptyExtension, recordEvent },
  })
  return { app, events }
}

async function appWithSubscriber(headers: Record<string, string> = {}) {
  const app = await testApp()
  await app.signUp(ada, headers)
  await expect.poll(() => deliveryStates(app.database)).toEqual(['sent'])
  return { app, link: await linkOf(app, ada) }
}

function post(
  app: TestApp,
  url: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.inject({
    method: 'POST',
    url,
    headers: { ...type, ...headers },
    payload: String(new URLSearchParams(fields)),
  })
}

function consent({ database }: TestApp) {
  return database.row(sql`
    select announcements_agreed_at, announcements_wording, announcements_refused_at from subscribers`)
}

async function everything({ database }: TestApp) {
  return {
    subscribers: await database.rows(sql`select * from subscribers`),
    deliveries: await database.rows(sql`select * from deliveries`),
    settings: await database.rows(sql`select * from settings order by name`),
  }
}

describe('asking for consent', () => {
  test('the page behind the link of the mail has one button, and opening it changes nothing', async () => {
    const { app, link } = await appWithSubscriber()
    const question = await app.inject(`${link}/news`)
    expect(question.body).toContain('<h1>news</h1>')
    expect(await consent(app)).toMatchObject({ announcements_agreed_at: null })
    const answer = await post(app, `${link}/news`, {})
    expect(answer.body).toContain('what-changed-1.1.0-on')
    expect(await consent(app)).toMatchObject({
      announcements_wording: wordingsOf(defaultContent).news.mail.hash,
    })
    await post(app, `${link}/news`, {})
    expect(await consent(app)).toMatchObject({ announcements_agreed_at: expect.any(Number) })
  })

  test('the personal page may ask once, and nobody who has chosen', async () => {
    const { app, link } = await appWithSubscriber()
    const mayAsk = async () =>
      (await post(app, `${link}/ask`, { place: 'downloaded' })).json().mayAsk
    expect([await mayAsk(), await mayAsk()]).toEqual([true, false])
    await app.change(sql`update subscribers set news_asked_at = null, announcements_refused_at = 1`)
    expect(await mayAsk()).toBe(false)
    await app.change(sql`
      update subscribers set announcements_refused_at = null, announcements_agreed_at = 1`)
    expect(await mayAsk()).toBe(false)
  })

  test.each([
    ['news', {}, 'mail'],
    ['news', { place: 'copied' }, 'copied'],
    ['news', { place: 'elsewhere' }, 'mail'],
    ['announcements', { announcements: 'on' }, 'switch'],
  ])('a consent by %s with %o counts at %s', async (path, form, place) => {
    const { app, link } = await appWithSubscriber()
    await post(app, `${link}/ask`, { place: 'copied' })
    await post(app, `${link}/${path}`, form)
    expect(await countsIn(app.database)).toMatchObject({
      'news-asked copied': 1,
      [`news-agreed ${place}`]: 1,
    })
  })

  test('a consent begins the series, and ends it with news', async () => {
    const { app, link } = await appWithSubscriber()
    await post(app, `${link}/news`, {})
    expect(await seriesFrom(app)).toEqual(expect.any(Number))
    await post(app, `${link}/announcements`, { announcements: 'off' })
    expect(await seriesFrom(app)).toBeNull()
  })
})

async function seriesFrom({ database }: TestApp): Promise<number | null> {
  const row = await database.row<{ from: number | null }>(
    sql`select series_from as "from" from subscribers`,
  )
  return row!.from
}
