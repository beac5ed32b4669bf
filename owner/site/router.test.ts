import { expect, test } from 'vitest'
import type { ContentValue } from '#site/words/description.ts'
import { deskApp, signedIn } from '#rigs/owner/test-desk.ts'

const lede = 'landingPage.hero.lede'
const name = 'brand.name'

/** A tab of the desk, which knows the page as it was when it opened. */
async function openTab(app: Awaited<ReturnType<typeof deskApp>>, tab: string) {
  const { desk } = await signedIn(app)
  const { revision: known } = await desk.page.show.query()
  return {
    desk,
    /** `revision`: that the tab knows by now. */
    save: (path: string, value: ContentValue, revision = known) =>
      desk.page.save.mutate({ tab, texts: [{ path, value, revision }] }),
    texts: async () => (await desk.page.show.query()).texts,
  }
}

test('what is typed on one device is in the draft of another', async () => {
  const app = await deskApp()
  const [laptop, phone] = [await openTab(app, 'laptop'), await openTab(app, 'phone')]
  expect(await laptop.save(lede, 'It waits.')).toEqual({
    before: 0,
    revision: 1,
    conflicts: [],
    unknown: [],
  })
  expect(await phone.texts()).toEqual({ [lede]: 'It waits.' })
})

test('what is typed at one instance is in the draft of another', async () => {
  const first = await deskApp()
  const second = await deskApp({ databaseUrl: first.databaseUrl })
  const [here, there] = [await openTab(first, 'here'), await openTab(second, 'there')]
  await here.save(lede, 'It waits.')
  expect(await there.texts()).toEqual({ [lede]: 'It waits.' })
  const { conflicts } = await there.save(lede, 'It trades.')
  expect(conflicts).toMatchObject([{ theirs: 'It waits.' }])
})

test('a text that another device changed meanwhile is not saved, and theirs is told', async () => {
  const app = await deskApp()
  const [laptop, phone] = [await openTab(app, 'laptop'), await openTab(app, 'phone')]
  await laptop.save(lede, 'It waits.')
  const { conflicts, revision } = await phone.save(lede, 'It trades.')
  expect(conflicts).toEqual([{ path: lede, theirs: 'It waits.', changedAt: expect.any(Number) }])
  expect(await phone.texts()).toEqual({ [lede]: 'It waits.' })
  await phone.save(lede, 'It trades.', revision)
  expect(await laptop.texts()).toEqual({ [lede]: 'It trades.' })
})

test('two devices that change two texts keep both, whoever is behind', async () => {
  const app = await deskApp()
  const [laptop, phone] = [await openTab(app, 'laptop'), await openTab(app, 'phone')]
  await laptop.save(lede, 'It waits.')
  expect(await phone.save(name, 'Turn Bot')).toMatchObject({ conflicts: [] })
  expect(await phone.texts()).toEqual({ [lede]: 'It waits.', [name]: 'Turn Bot' })
})

test('a text that was typed before a version was restored is asked about, and no other', async () => {
  const app = await deskApp()
  const [laptop, phone] = [await openTab(app, 'laptop'), await openTab(app, 'phone')]
  const { revision } = await laptop.save(lede, 'It waits.')
  await phone.desk.page.versions.bringBack.mutate({ id: 0 })
  const { conflicts } = await laptop.save(lede, 'It waits still.', revision)
  expect(conflicts).toMatchObject([{ path: lede, theirs: expect.stringContaining('') }])
  expect(await laptop.save(name, 'Turn Bot', revision)).toMatchObject({ conflicts: [] })
  expect(await phone.texts()).toEqual({ [name]: 'Turn Bot' })
})

test('a save whose answer was lost is no conflict when the tab saves again', async () => {
  const app = await deskApp()
  const laptop = await openTab(app, 'laptop')
  await laptop.save(lede, 'It wai')
  expect(await laptop.save(lede, 'It waits.')).toMatchObject({ conflicts: [] })
  expect(await laptop.texts()).toEqual({ [lede]: 'It waits.' })
})

test('a text that is as it came with the product leaves the draft', async () => {
  const app = await deskApp()
  const laptop = await openTab(app, 'laptop')
  await laptop.save(name, 'Turn Bot')
  await laptop.save(name, 'Starter Bot')
  expect(await laptop.texts()).toEqual({})
})

test('a list is kept whole', async () => {
  const laptop = await openTab(await deskApp(), 'laptop')
  await laptop.save('starterEmail.steps', ['One.', 'Two.'])
  expect(await laptop.texts()).toEqual({ 'starterEmail.steps': ['One.', 'Two.'] })
})

test('a text that the page does not have is refused by its name', async () => {
  const laptop = await openTab(await deskApp(), 'laptop')
  const path = 'landingPage.heading'
  expect((await laptop.save(path, 'Cheap')).unknown).toEqual([path])
  expect(await laptop.texts()).toEqual({})
})
