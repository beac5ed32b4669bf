import { expect, test } from 'vitest'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'

const minuteMs = 60_000
const letter = { subject: 'Tips & tricks', preview: '', text: 'Hello' }

test('the series is shown off, with the letters of content/, and switched on with a fresh proof', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const { desk } = browser
  const { isOn, letters } = await desk.series.show.query()
  expect([isOn, letters.length]).toEqual([false, 3])
  app.clock.advance(15 * minuteMs)
  expect(await refusalOf(desk.series.switch.mutate({ isOn: true }))).toMatchObject({ status: 403 })
  await browser.signIn()
  await desk.series.switch.mutate({ isOn: true })
  expect((await desk.series.show.query()).isOn).toBe(true)
  await desk.series.switch.mutate({ isOn: false })
  expect((await desk.series.show.query()).isOn).toBe(false)
})

test('a letter is added, changed, moved up, switched off and removed', async () => {
  const { desk } = await signedIn(await deskApp())
  const name = await desk.series.add.mutate({ ...letter, afterDays: 2 })
  expect(name).toBe('tips-tricks')
  const shown = async () => (await desk.series.show.query()).letters
  const order = async () => (await shown()).map((one) => one.name)
  expect(await order()).toEqual(['first-alert', name, 'sideways', 'real-money'])
  await desk.series.moveUp.mutate({ name })
  expect(await order()).toEqual([name, 'first-alert', 'sideways', 'real-money'])
  await desk.series.change.mutate({ name, words: { ...letter, text: 'New' }, afterDays: 20 })
  expect((await shown()).at(-1)).toMatchObject({ name, text: 'New', afterDays: 20, isOn: true })
  await desk.series.switch.mutate({ name, isOn: false })
  expect((await shown()).at(-1)).toMatchObject({ name, isOn: false })
  await desk.series.remove.mutate({ name })
  expect(await order()).toEqual(['first-alert', 'sideways', 'real-money'])
})

test('a letter without words, or for no day, is refused', async () => {
  const { desk } = await signedIn(await deskApp())
  const empty = desk.series.add.mutate({ ...letter, text: ' ', afterDays: 2 })
  expect(await refusalOf(empty)).toMatchObject({ field: 'subject' })
  expect(await refusalOf(desk.series.add.mutate({ ...letter, afterDays: 61 }))).toMatchObject({
    status: 400,
  })
})
