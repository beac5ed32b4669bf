import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { ada, appThatTells, appWithSubscriber, consent, post } from '#rigs/server/personal-page.ts'
import { countRows, deliveryStates, subscriberStates } from '#rigs/server/rows.ts'
import { act, linkOf, newSubscriber, ownOrigin, testApp } from '#rigs/server/test-app.ts'

const foreign = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }

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
