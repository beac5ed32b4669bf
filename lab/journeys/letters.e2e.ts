import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { series } from '#content/mail/series.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { whatChanged } from '#content/pages/what-changed.ts'
import { hydrate, openDesk, startJourney } from './journey.ts'

const owner = 'owner@example.com'
const journey = startJourney({ OWNER_EMAIL: owner })

async function openAnnounce(kind: 'A letter' | 'A series'): Promise<Page> {
  const page = await openDesk(journey, owner, 'announce')
  await page.getByText(kind, { exact: true }).click()
  return page
}

test('the first words of a letter are kept, also if the page is loaded again at once', async () => {
  const page = await openAnnounce('A letter')
  await page.getByLabel('Subject').fill('Typed and left')
  await page.reload()
  await page.getByRole('combobox', { name: 'Draft' }).waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Typed and left')
})

test('a picture dropped into a letter must be described before it is sent', async () => {
  const page = await openAnnounce('A letter')
  const text = page.getByRole('textbox', { name: 'Text' })
  await page.getByLabel('Subject').fill('With a picture')
  await text.fill('Look:')
  await text.evaluate(dropPicture)
  await expect.poll(() => text.inputValue()).toMatch(/^Look:\n\n!\[\]\(\/pictures\/\S+\)/)
  const refusal = page.getByText('A picture has no description yet.')
  await refusal.waitFor()
  await text.fill((await text.inputValue()).replace('![]', '![Two lines that cross]'))
  await refusal.waitFor({ state: 'detached' })
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

test('the series is listed, gets a letter, is put into another order, and is switched on and off', async () => {
  const page = await openAnnounce('A series')
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor()
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const letters = () => page.locator('button[aria-pressed]').allInnerTexts()
  const { firstAlert, sideways, realMoney } = series
  const [first, second, third] = [firstAlert, sideways, realMoney].map(({ subject }) => subject)
  await heading('The series is off.')
  expect(await letters()).toEqual([first, second, third])
  await press('Add a letter')
  await page.getByLabel('Subject').fill('Tips')
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello')
  await press('Add it')
  await expect.poll(letters).toEqual([first, second, third, 'Tips'])
  await press('Move up: Tips')
  await expect.poll(letters).toEqual([first, second, 'Tips', third])
  await press('Off: Tips')
  await page.getByRole('button', { name: 'On: Tips', exact: true }).waitFor()
  for (const position of ['on', 'off']) {
    await press(`Switch the series ${position}`)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Switch the series/ })
      .click()
    await heading(`The series is ${position}.`)
  }
})

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
