import { expect, test } from 'vitest'
import type { ContentValue } from '#site/words/description.ts'
import { deskApp, signedIn } from '#rigs/owner/test-desk.ts'
import { textAt } from './draft/draft-difference.ts'

const lede = 'landingPage.hero.lede'
const before = textAt({}, lede)

/** A tab of the desk that saves one text. */
async function openTab(app: Awaited<ReturnType<typeof deskApp>>, writer: string) {
  const { desk } = await signedIn(app)
  return {
    desk,
    save: (path: string, old: ContentValue, value: ContentValue) =>
      desk.page.save.mutate({ writer, texts: [{ path, before: old, value }] }),
    draft: async () =>
      Object.fromEntries(
        (await desk.page.show.query()).draft.map(({ path, value }) => [path, value]),
      ),
  }
}

test('what is typed on one device is in the draft of another', async () => {
  const app = await deskApp()
  const [laptop, phone] = [await openTab(app, 'laptop'), await openTab(app, 'phone')]
  expect(await laptop.save(lede, before, 'It waits.')).toEqual({ conflicts: [], unknown: [] })
  expect(await phone.draft()).toEqual({ [lede]: 'It waits.' })
})

test('what is typed at one instance is in the draft of another', async () => {
  const first = await deskApp()
  const second = await deskApp({ databaseUrl: first.databaseUrl })
  const [here, there] = [await openTab(first, 'here'), await openTab(second, 'there')]
  await here.save(lede, before, 'It waits.')
  expect(await there.draft()).toEqual({ [lede]: 'It waits.' })
  const { conflicts } = await there.save(lede, before, 'It trades.')
  expect(conflicts).toMatchObject([{ theirs: 'It waits.' }])
})

test('a text that another device changed meanwhile is not saved, and theirs is told', async () => {
  const app = await deskApp()
  const [laptop, phone] = [await openTab(app, 'laptop'), await openTab(app, 'phone')]
  await laptop.save(lede, before, 'It waits.')
  const { conflicts } = await phone.save(lede, before, 'It trades.')
  expect(conflicts).toEqual([{ path: lede, theirs: 'It waits.', changedAt: expect.any(Number) }])
  expect(await phone.draft()).toEqual({ [lede]: 'It waits.' })
  await phone.save(lede, 'It waits.', 'It trades.')
  expect(await laptop.draft()).toEqual({ [lede]: 'It trades.' })
})

test('a save whose answer was lost is no conflict when the tab saves again', async () => {
  const app = await deskApp()
  const laptop = await openTab(app, 'laptop')
  await laptop.save(lede, before, 'It wai')
  expect(await laptop.save(lede, before, 'It waits.')).toMatchObject({ conflicts: [] })
  expect(await laptop.draft()).toEqual({ [lede]: 'It waits.' })
})

test('a text that is as published again leaves the draft', async () => {
  const app = await deskApp()
  const laptop = await openTab(app, 'laptop')
  await laptop.save(lede, before, 'It waits.')
  await laptop.save(lede, 'It waits.', before)
  expect(await laptop.draft()).toEqual({})
})

test('a list is kept whole', async () => {
  const laptop = await openTab(await deskApp(), 'laptop')
  const path = 'starterEmail.steps'
  await laptop.save(path, textAt({}, path), ['One.', 'Two.'])
  expect(await laptop.draft()).toEqual({ [path]: ['One.', 'Two.'] })
})

test('a text that is fixed, or that the page does not have, is refused by its name', async () => {
  const laptop = await openTab(await deskApp(), 'laptop')
  for (const path of ['landingPage.hero.badge', 'landingPage.heading']) {
    expect((await laptop.save(path, textAt({}, path), 'Cheap')).unknown).toEqual([path])
  }
  expect(await laptop.draft()).toEqual({})
})
