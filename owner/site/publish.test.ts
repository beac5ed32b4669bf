import { expect, onTestFinished, test, vi } from 'vitest'
import { ownRule, ownScript, startPageDesk } from '#rigs/owner/page-desk.ts'
import { refusalOf } from '#rigs/owner/test-desk.ts'
import { textAt } from './draft/draft-difference.ts'
import type { ContentValue } from '#site/words/description.ts'

const minuteMs = 60_000
const openDesk = startPageDesk()

test('a draft is seen in the preview at once, and by visitors once it is published', async () => {
  const { desk, type, publish, home, show, changed } = await openDesk()
  await type('brand.name', 'Turn Bot')
  const { html } = await desk.page.preview.query({
    what: 'page',
    page: 0,
    texts: { 'landingPage.hero.lede': 'Typed just now.' },
  })
  expect(html).toContain('Turn Bot')
  expect(html).toContain('Typed just now.')
  expect(await home()).not.toContain('Turn Bot')
  await publish()
  expect(await home()).toContain('Turn Bot')
  expect(await home()).not.toContain('Typed just now.')
  expect(await show()).toMatchObject({ published: { 'brand.name': 'Turn Bot' } })
  expect(await changed()).toEqual({})
})

test('the preview of the note has its words in every state', async () => {
  const { desk } = await openDesk()
  const { html } = await desk.page.preview.query({
    what: 'note',
    page: 0,
    texts: { 'note.views.slow.text': 'Have a cup of tea.' },
  })
  for (const words of ['Have a cup of tea.', 'On its way', 'owner@example.org']) {
    expect(html).toContain(words)
  }
})

test.each(['page', 'not-found', 'privacy', 'note', 'mail', 'personal-page'] as const)(
  'the preview of %s has no placeholder left',
  async (what) => {
    const { desk } = await openDesk()
    const { html } = await desk.page.preview.query({ what, page: 0, texts: {} })
    expect(html.length).toBeGreaterThan(1_000)
    expect(html).not.toMatch(/\{[a-z]\w+\}/i)
  },
)

test('publishing needs a proof of the last 15 minutes', async () => {
  const { app, browser, type, publish, home } = await openDesk()
  await type('brand.name', 'Turn Bot')
  app.clock.advance(15 * minuteMs)
  expect(await refusalOf(publish())).toMatchObject({ status: 403 })
  await browser.signIn()
  await publish()
  expect(await home()).toContain('Turn Bot')
})

test('a draft that changed since it was looked at is not published', async () => {
  const { desk, show, type, home } = await openDesk()
  await type('brand.name', 'Turn Bot')
  const { revision } = await show()
  await type('brand.name', 'Dip Bot')
  expect(await refusalOf(desk.page.publish.mutate({ revision }))).toMatchObject({ status: 409 })
  expect(await home()).not.toContain('Dip Bot')
})

test('the audit tells what was published, and not what was refused', async () => {
  const { desk, type, publish } = await openDesk()
  const told = async () =>
    (await desk.you.show.query()).audit.filter(({ action }) => action === 'Published the page')
  await type('brand.name', '')
  expect(await refusalOf(publish())).toMatchObject({ status: 409 })
  expect(await told()).toEqual([])
  await type('brand.name', 'Turn Bot')
  await publish()
  expect(await told()).toHaveLength(1)
})

test('what is typed and uploaded while a version is drawn stays in the draft', async () => {
  const { app, desk, type, put, publish, changed, show, home } = await openDesk()
  const { renderer } = app.context
  await type('brand.name', 'Turn Bot')
  await type(...ownRule)
  const make = vi.spyOn(renderer, 'make').mockImplementationOnce(async (source) => {
    await type('brand.tagline', 'Typed meanwhile')
    await put('script', 'rsi.pine', ownScript('1.0.0'))
    return renderer.make(source)
  })
  onTestFinished(() => make.mockRestore())
  await publish()
  expect(await home()).toContain('Turn Bot')
  expect(await home()).not.toContain('Typed meanwhile')
  expect(await changed()).toEqual({ 'brand.tagline': 'Typed meanwhile' })
  expect((await show()).files.script).toMatchObject({ isOwn: true, isChanged: true })
  expect(await desk.page.versions.list.query()).toMatchObject([
    { state: 'published', about: 'Product name, What it does', changes: 2 },
  ])
  await publish()
  expect(app.context.site.current.kit[0]?.name).toBe('rsi.pine')
})

test('a text that does not fit is not published, and its field is named', async () => {
  const { type, publish, home } = await openDesk()
  await type('landingPage.hero.heading.0', 'Longer than the thirty letters that have room')
  expect(await refusalOf(publish())).toMatchObject({
    status: 409,
    field: 'landingPage.hero.heading.0',
  })
  expect(await home()).not.toContain('Longer than')
})

test('an earlier version becomes the draft, and is live once it is published', async () => {
  const { desk, type, publish, changed, home } = await openDesk()
  await type('brand.name', 'Turn Bot')
  const { id } = await publish()
  await type('brand.name', 'Dip Bot')
  await publish()
  await desk.page.versions.bringBack.mutate({ id })
  expect(await changed()).toEqual({ 'brand.name': 'Turn Bot' })
  expect(await home()).toContain('Dip Bot')
  await publish()
  expect(await home()).toContain('Turn Bot')
  expect(await desk.page.versions.list.query()).toMatchObject([
    { about: 'Product name', changes: 1 },
    { about: 'Product name', changes: 1 },
    { about: 'Product name', changes: 1 },
  ])
})

test('the defaults can be brought back', async () => {
  const { desk, type, publish, changed } = await openDesk()
  await type('brand.name', 'Turn Bot')
  await publish()
  await desk.page.versions.bringBack.mutate({ id: 0 })
  expect(await changed()).toEqual({ 'brand.name': 'Starter Bot' })
})

test('a script without a version line is asked for it, and then goes out', async () => {
  const { app, desk, put, show, publish, type } = await openDesk()
  await type(...ownRule)
  await put('script', 'rsi.pine', '//@version=6\nstrategy("RSI turn", "RSI")\n')
  expect(await show()).toMatchObject({
    scriptVersion: null,
    files: { script: { name: 'rsi.pine' } },
  })
  expect(await refusalOf(publish())).toMatchObject({ status: 409 })
  await desk.page.files.setVersion.mutate({ version: '1.0.0', date: '2026-11-25' })
  await publish()
  expect(await show()).toMatchObject({
    scriptVersion: { version: '1.0.0', date: '2026-11-25' },
    files: { script: { isOwn: true, isChanged: false } },
  })
  expect(app.context.site.current.kit[0]?.name).toBe('rsi.pine')
})

test('the second version of a script says what changed before it is published', async () => {
  const { app, put, publish, type, show } = await openDesk()
  await type(...ownRule)
  await put('script', 'rsi.pine', ownScript('1.0.0'))
  await publish()
  await put('script', 'rsi.pine', ownScript('1.1.0'))
  expect(await refusalOf(publish())).toMatchObject({ field: 'releases' })
  const { texts, published } = await show()
  expect(textAt(published, 'releases', { script: true })).toEqual([]) // not those of our script
  const { releases: listed } = texts
  const [newest, ...older] = Array.isArray(listed) ? (listed as { version: string }[]) : []
  expect([newest?.version, ...older.map(({ version }) => version)]).toEqual(['1.1.0', '1.0.0'])
  await type('releases', [{ ...newest, changes: ['A stop.'] }, ...older] as ContentValue)
  await publish()
  expect(app.context.site.current.releases).toMatchObject([
    { version: '1.1.0', changes: ['A stop.'] },
    { version: '1.0.0' },
  ])
})

test('the versions of the script follow it back to the published one, and to ours', async () => {
  const { app, desk, put, publish, show, changed, type } = await openDesk()
  await type(...ownRule)
  await put('script', 'rsi.pine', ownScript('1.0.0'))
  await publish()
  await put('script', 'rsi.pine', ownScript('1.1.0'))
  await desk.page.files.putBack.mutate({ kind: 'script' })
  expect(await changed()).toEqual({})
  expect(await show()).toMatchObject({ scriptVersion: { version: '1.0.0' } })
  await desk.page.files.takeOurs.mutate({ kind: 'script' })
  await publish()
  expect(app.context.site.current.releases[0]?.version).not.toBe('1.0.0')
})

test('a file that cannot be taken is refused in one sentence, and what was there stays', async () => {
  const { put, show } = await openDesk()
  await put('script', 'rsi.pine', ownScript('1.0.0'))
  const utf16 = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from(ownScript('2.0.0'), 'utf16le'),
  ])
  expect(await refusalOf(put('script', 'rsi.pine', utf16))).toMatchObject({
    field: 'script',
    message: 'It is UTF-16. Save it as UTF-8.',
  })
  expect(await refusalOf(put('guide', 'guide.pdf', 'Hello'))).toMatchObject({
    field: 'guide',
    message: 'This is not a PDF.',
  })
  expect(await show()).toMatchObject({
    scriptVersion: { version: '1.0.0' },
    files: { guide: { isOwn: false } },
  })
})
