import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { ownRule, ownScript, startPageDesk } from '#rigs/owner/page-desk.ts'
import { pngOf } from '#rigs/server/png.ts'
import { refusalOf } from '#rigs/owner/test-desk.ts'
import { listVersions, updateVersion } from '#server/site/versions/versions.ts'
import { dropUnusedPageFiles } from './files/unused-files.ts'

const openDesk = startPageDesk()
const hourMs = 3_600_000

test('an earlier version that is brought back keeps the draft before it', async () => {
  const { desk, type, publish, put, show, changed } = await openDesk()
  await type('brand.name', 'Turn Bot')
  const { id } = await publish()
  await type('brand.name', 'Dip Bot')
  await publish()
  await type('brand.tagline', 'Typed for an hour')
  await put('script', 'rsi.pine', ownScript('1.0.0'))
  await desk.page.versions.bringBack.mutate({ id })
  expect((await desk.you.show.query()).audit[0]).toMatchObject({ action: 'Brought a version back' })
  expect(await changed()).toEqual({ 'brand.name': 'Turn Bot' })
  const [kept] = await desk.page.versions.list.query()
  expect(kept?.state).toBe('draft')
  expect(kept?.about).toBe('The script, Tagline')
  await desk.page.versions.bringBack.mutate({ id: kept!.id })
  expect(await changed()).toEqual({ 'brand.tagline': 'Typed for an hour' })
  expect(await show()).toMatchObject({ files: { script: { name: 'rsi.pine' } } })
})

test('without a draft nothing is kept when a version is brought back', async () => {
  const { desk, type, publish } = await openDesk()
  await type('brand.name', 'Turn Bot')
  await publish()
  await desk.page.versions.bringBack.mutate({ id: 0 })
  expect((await desk.page.versions.list.query()).map(({ state }) => state)).toEqual(['published'])
})

test('what was taken along is a draft on another server, with its files', async () => {
  const here = await openDesk()
  await here.type('brand.name', 'Turn Bot')
  await here.type(...ownRule)
  await here.put('script', 'rsi.pine', ownScript('1.0.0'))
  await here.publish()
  const there = await openDesk()
  await there.bring(await here.takeAlong())
  const { audit } = await there.desk.you.show.query()
  expect(audit[0]).toMatchObject({ action: 'Brought a page as a file' })
  expect(await there.changed()).toEqual({
    'brand.name': 'Turn Bot',
    [ownRule[0]]: ownRule[1],
  })
  expect(await there.show()).toMatchObject({
    files: { script: { name: 'rsi.pine', isChanged: true } },
  })
  expect(await there.home()).not.toContain('Turn Bot')
  await there.publish()
  expect(await there.home()).toContain('Turn Bot')
})

test.each([
  ['of another product', { version: 3, posts: [] }, 'from another product'],
  ['nested deep', Array.from({ length: 50 }).reduce((inner) => [inner]), 'not exported here'],
  ['with an unknown text', contentOf({ 'brand.motto': 'x' }), 'brand.motto'],
  [
    'with a link that is none',
    contentOf({ 'brand.imprintUrl': 'javascript:x' }),
    'brand.imprintUrl',
  ],
])(
  'a file %s is refused in a sentence that names it, and the draft stays',
  async (_, file, words) => {
    const { bring, type, show } = await openDesk()
    await type('brand.name', 'Turn Bot')
    const { revision } = await show()
    expect((await refusalOf(bring(JSON.stringify(file)))).message).toContain(words)
    expect((await show()).revision).toBe(revision)
  },
)

function contentOf(texts: Record<string, string>) {
  return { format: 'starter-bot content 1', texts, files: {} }
}

test('a file that another device chose meanwhile is not replaced, and theirs is told', async () => {
  const { put, show } = await openDesk()
  const { revision } = await show()
  await put('script', 'laptop.pine', ownScript('1.0.0'))
  const { conflict } = await put('script', 'phone.pine', ownScript('2.0.0'), revision)
  expect(conflict).toMatchObject({ theirs: { name: 'laptop.pine' }, changedAt: expect.any(Number) })
  const now = await show()
  expect(now.files.script.name).toBe('laptop.pine')
  await put('script', 'phone.pine', ownScript('2.0.0'), now.revision)
  expect(await show()).toMatchObject({ files: { script: { name: 'phone.pine' } } })
})

test('a file that cannot be taken is refused in a sentence, and the draft stays', async () => {
  const { put, show } = await openDesk()
  const cut = pngOf(1200, 630).subarray(0, 20)
  expect((await refusalOf(put('sharePicture', 'a.png', cut))).message).toMatch(/damaged or cut off/)
  expect((await show()).files.sharePicture.isOwn).toBe(false)
})

test('a file that neither a version nor a draft has any more is deleted after an hour', async () => {
  const { app, put, publish, show, type } = await openDesk()
  await type(...ownRule)
  const { database } = app.context
  await put('script', 'rsi.pine', ownScript('1.0.0'))
  await publish()
  await put('script', 'rsi.pine', ownScript('1.1.0'))
  await put('script', 'rsi.pine', ownScript('1.2.0'))
  const before = await database.rows(sql`select hash from content_files`)
  await dropUnusedPageFiles(database, app.clock.now() + 2 * hourMs)
  const after = await database.rows(sql`select hash from content_files`)
  expect(before.length - after.length).toBe(1)
  await publish().catch(() => {}) // it asks what changed: the file of the draft was read
  expect((await show()).scriptVersion?.version).toBe('1.2.0')
})

test('the oldest versions go while the files of all take more than 300 MB', async () => {
  const { app, type, publish, desk } = await openDesk()
  const { database } = app.context
  for (const name of ['First', 'Second', 'Third']) {
    await type('brand.name', name)
    await publish()
  }
  const [third, second, first] = await listVersions(database)
  await database.transaction(async (transaction) => {
    for (const version of [third!, second!, first!]) {
      const guide = { hash: `of ${version.id}`, name: 'a.pdf', mediaType: '', size: 140_000_000 }
      await updateVersion(transaction, { ...version, files: { guide } })
    }
  })
  await dropUnusedPageFiles(database, app.clock.now())
  const kept = await desk.page.versions.list.query()
  expect(kept).toMatchObject([
    { id: third!.id, isFirst: false },
    { id: second!.id, isFirst: true },
  ])
  const gone = { message: 'This version is no longer kept.' }
  const { changes, bringBack } = desk.page.versions
  expect(await refusalOf(changes.query({ id: first!.id }))).toMatchObject(gone)
  expect(await refusalOf(bringBack.mutate({ id: first!.id }))).toMatchObject(gone)
})
