import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { series } from '#content/mail/series.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { whatChanged } from '#content/pages/what-changed.ts'
import { deskOf, watchCalls } from './desk/desk-journey.ts'
import { hydrate, openDesk, startJourney } from './journey.ts'

const journey = startJourney()

async function newLetter(): Promise<Page> {
  const page = await openDesk(journey, 'letters')
  await page.getByRole('button', { name: 'New letter', exact: true }).click()
  await page.getByLabel('Subject').waitFor()
  return page
}

test('what is typed into a letter is kept, also if the page is loaded again at once', async () => {
  const page = await newLetter()
  await page.getByLabel('Subject').fill('Typed and left')
  await page.reload()
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Typed and left')
  await page.getByText('Saved', { exact: true }).waitFor()
})

test('on a phone a press at the bottom edge counts while a field has the focus', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await openDesk(journey, 'letters', phone)
  await page.getByRole('button', { name: 'New letter', exact: true }).tap()
  await page.getByLabel('Subject').fill('From the phone')
  await page.getByText('Saved', { exact: true }).waitFor()
  const button = page.getByRole('button', { name: 'Send a test to me' })
  // To where the views stand while no field has the focus.
  await button.evaluate((shown) => scrollBy(0, shown.getBoundingClientRect().bottom - innerHeight))
  await page.getByLabel('Subject').evaluate((field) => field.focus({ preventScroll: true }))
  const { x = 0, y = 0, height = 0 } = (await button.boundingBox()) ?? {}
  await page.touchscreen.tap(x + 20, y + height / 2)
  await page.getByText('A test is on its way to you.').waitFor()
  await page.getByRole('navigation', { name: 'Desk' }).getByRole('link').first().waitFor()
})

test('typing on while a slow line saves is no conflict', async () => {
  const page = await newLetter()
  const line = Promise.withResolvers<void>()
  await page.route('**/mailings.save*', async (route) => {
    await line.promise
    await route.continue()
  })
  const words = 'Typed while the line was slow'
  const isSaving = page.waitForRequest('**/mailings.save*')
  await page.getByLabel('Subject').pressSequentially('Typed while')
  await isSaving
  await page.getByLabel('Subject').pressSequentially(' the line was slow')
  line.resolve()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe(words)
  expect(await page.getByText('changed on another device').count()).toBe(0)
  await page.unrouteAll({ behavior: 'wait' })
  await page.reload()
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe(words)
})

test('what could not be saved is saved by itself once the server is back', async () => {
  const page = await newLetter()
  let isAway = true
  await page.route('**/mailings.save*', (route) => (isAway ? route.abort() : route.continue()))
  await page.getByLabel('Subject').fill('Typed while it was away')
  await page.getByText('Not saved yet: The server cannot be reached.').waitFor()
  isAway = false
  await page.getByText('Saved', { exact: true }).waitFor()
})

test('what was typed before another device changed it asks, also after a reload', async () => {
  const page = await newLetter()
  const other = await openDesk(journey, page.url().split('/desk/')[1])
  await other.getByLabel('Subject').waitFor()
  await page.route('**/mailings.save*', (route) => route.abort())
  await page.getByLabel('Subject').fill('Here')
  await page.getByText('Not saved yet').waitFor()
  await other.getByLabel('Subject').fill('There')
  await other.getByText('Saved', { exact: true }).waitFor()
  await page.unroute('**/mailings.save*')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('There: There').waitFor()
  await page.getByText('Not saved yet').waitFor()
  await page.getByLabel('Subject').click()
  const isAsked = page.waitForEvent('dialog') // a closed tab would lose what was typed
  await page.reload()
  await isAsked
  await page.getByText('There: There').waitFor()
  await page.getByRole('button', { name: 'Keep what I typed here' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await other.reload()
  await expect.poll(() => other.getByLabel('Subject').inputValue()).toBe('Here')
})

test('the view of a letter that is about to start asks by itself how it goes', async () => {
  await journey.signUpByPost()
  const page = await journey.open()
  await page.clock.install()
  await deskOf(journey).signIn(page)
  await page.goto('/desk/letters')
  await page.getByRole('button', { name: 'New letter', exact: true }).click()
  await page.getByLabel('Subject').fill('In a minute')
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello')
  await page.getByLabel('Everyone on the list').check()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Send to / }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send to / })
    .click()
  await page.getByRole('heading', { name: /^“In a minute” starts at / }).waitFor()
  const calls = watchCalls(page)
  await page.clock.fastForward(6_000)
  await expect.poll(() => calls.names).toContain('mailings.one')
  await page.getByRole('button', { name: 'Take it back' }).click()
  await page.getByLabel('Subject').waitFor()
})

test('a link is asked for its words and its address, and a bare host gets its https', async () => {
  const page = await newLetter()
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Link text').fill('my channel')
  await dialog.getByLabel('Address').fill('not an address')
  await dialog.getByRole('button', { name: 'Insert the link' }).click()
  await dialog.getByText('This is not an address.').waitFor()
  await dialog.getByLabel('Address').fill('youtube.com/@x')
  await dialog.getByRole('button', { name: 'Insert the link' }).click()
  const text = page.getByRole('textbox', { name: 'Text' })
  await expect.poll(() => text.inputValue()).toBe('[my channel](https://youtube.com/@x)')
})

test('a picture dropped into a letter is shown as it arrives', async () => {
  const page = await newLetter()
  const text = page.getByRole('textbox', { name: 'Text' })
  await text.fill('Look:')
  await text.evaluate(dropPicture)
  await expect.poll(() => text.inputValue()).toMatch(/^Look:\n\n!\[\]\(\/pictures\/\S+\)/)
  await text.fill((await text.inputValue()).replace('![]', '![Two lines that cross]'))
  const shown = page.frameLocator('iframe').getByRole('img', { name: 'Two lines that cross' })
  await expect
    .poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(1104)
})

/** In the page: a picture of 2000 × 1000, dropped as from the owner's files. */
async function dropPicture(field: HTMLElement | SVGElement): Promise<void> {
  const canvas = new OffscreenCanvas(2000, 1000)
  canvas.getContext('2d')?.fillRect(0, 0, 1000, 1000)
  const picture = await canvas.convertToBlob({ type: 'image/png' })
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([picture], 'cross.png', { type: 'image/png' }))
  field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}

test('the series comes with its letters, which are switched on and off, removed and restored', async () => {
  const page = await openDesk(journey, 'letters')
  const section = page.getByRole('region', { name: 'Series' })
  const letters = () => section.getByRole('link').allInnerTexts()
  const all = [series.firstAlert, series.sideways, series.realMoney].map(({ subject }) => subject)
  await expect.poll(letters).toEqual(all)
  const first = section.getByRole('listitem').first()
  await first.getByRole('button', { name: 'Switch on' }).click()
  await first.getByText('On ·').waitFor()
  await changeTheDay(page, 9)
  await first.getByRole('button', { name: 'Switch off' }).click()
  await first.getByText('Off ·').waitFor()
  await first.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(letters).toEqual(all.slice(1))
  await page.getByText('Removed', { exact: true }).click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect.poll(letters).toEqual(all)
})

/** The first letter of the series is on: the desk says who would miss it, then asks. */
async function changeTheDay(page: Page, day: number): Promise<void> {
  await page.getByRole('link', { name: series.firstAlert.subject }).click()
  const field = page.getByLabel('Days after they agreed to news')
  const before = await field.inputValue()
  await field.fill(String(day))
  await page.getByText('Nobody would miss the letter.').waitFor()
  await page.reload()
  expect(await field.inputValue()).toBe(before)
  for (const to of [String(day), before]) {
    await field.fill(to)
    await page.getByRole('button', { name: `Change the day to ${to}` }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe(to)
  }
  await page.getByRole('link', { name: 'Letters' }).first().click()
}

test('after a copy the personal page asks once for consent, and one press gives it', async () => {
  const { kit } = await journey.signUpByPost()
  const page = await journey.visit(kit, { permissions: ['clipboard-write'] })
  const copy = page.getByRole('button', { name: personalPage.script.copy })
  const yes = page.getByRole('button', { name: whatChanged.announcements.askButton })
  expect(await yes.count()).toBe(0)
  await copy.click()
  await yes.click()
  const turnedOn = page.getByRole('switch', { name: whatChanged.announcements.label })
  await expect.poll(() => turnedOn.getAttribute('aria-checked')).toBe('true')
  await page.getByText(whatChanged.announcements.agreed).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.goto(kit)
  await hydrate(page)
  const asked = page.waitForResponse(`${kit}/ask`)
  await copy.click()
  await asked
  expect(await yes.count()).toBe(0)
})
