import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { whatChanged } from '#content/pages/what-changed.ts'
import { ada, appThatTells, appWithSubscriber, consent, post } from '#rigs/server/personal-page.ts'
import { countsIn, linkOf, type TestApp } from '#rigs/server/test-app.ts'
import { wordingsOf } from '../../subscribers/wordings.ts'

const wording = wordingsOf(defaultContent).news.switch

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

  test('is told when it is turned, and a choice that changes nothing is not', async () => {
    const { app, events } = await appThatTells()
    await app.signUp(ada)
    const link = await linkOf(app, ada)
    for (const announcements of ['on', 'on', 'off', 'off']) {
      await post(app, `${link}/announcements`, { announcements })
    }
    expect(events).toEqual(['joined', 'consented', 'left'])
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

  test.each([
    ['unsubscribe', 'unsubscribed'],
    ['block', 'blocked'],
  ])('after %s the links of a mail about news say what is, and ask nothing', async (act, page) => {
    const { app, link } = await appWithSubscriber()
    await post(app, `${link}/${act}`, {})
    for (const name of ['news', 'announcements']) {
      expect((await app.inject(`${link}/${name}`)).body).toContain(`<h1>${page}</h1>`)
    }
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
