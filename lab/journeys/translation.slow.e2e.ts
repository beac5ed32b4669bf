import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { personalPage } from '#content/pages/personal-page.ts'
import { translate } from './translate.ts'
import {
  bottomForm,
  complaintsOf,
  heroForm,
  hydrate,
  newAddress,
  openDesk,
  signUp,
  startJourney,
} from './journey.ts'

const journey = startJourney()

describe('while a translator changes the page', () => {
  test('the form asks, answers, follows the mail, and takes the next sign-up', async () => {
    const page = await journey.visit('/')
    const complaints = complaintsOf(page)
    await translate(page)
    const { form, field, button } = heroForm(page)
    await signUp(heroForm(page), 'ana@')
    await form.getByText('Please enter a valid email address').waitFor()
    await signUp(heroForm(page), 'ana@gmial.com')
    await form.locator('.asked button').last().waitFor()
    await field.press('End')
    await field.press('Backspace')
    const address = newAddress()
    await signUp(heroForm(page), address)
    await page.getByText('Success! Check your email').waitFor()
    await form.getByText('Sent', { exact: true }).waitFor()
    expect(await form.locator('.note').innerText()).not.toContain('On its way')
    expect(await button.innerText()).toBe('Download Now for Free')
    await signUp(heroForm(page), address)
    await page.getByText("You're already on the list!").waitFor()
    await form.locator('.note-actions button').last().click()
    expect(await field.inputValue()).toBe(address)
    await signUp(bottomForm(page), newAddress())
    await bottomForm(page).form.getByText('Sent', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('the personal page copies the script and writes the message of a bridge', async () => {
    const { kit } = await journey.signUpByPost()
    const page = await journey.open({ permissions: ['clipboard-read', 'clipboard-write'] })
    const complaints = complaintsOf(page)
    await page.goto(kit)
    await page.locator('#app[data-hydrated]').waitFor()
    await translate(page)
    await page.getByRole('button', { name: personalPage.script.copy }).click()
    await page.getByText('Now click into the Pine Editor').waitFor()
    expect(await copied(page)).toMatch(/^\/\/@version=6\n/)
    await page.getByRole('radio', { name: 'PineConnector' }).check()
    await page.getByLabel('Size, in lots').fill('0.01')
    await page.locator('.bridge-panel:visible button:visible').click()
    await page.getByText(personalPage.bridges.copied).waitFor()
    expect(await copied(page)).toContain('vol_lots=0.01')
    expect(complaints).toEqual([])
  })

  test('the desk searches people, follows what is typed into a field, and opens each view', async () => {
    await journey.signUpByPost('grace.hopper@example.com')
    await journey.signUpByPost('someone.else@example.com')
    const page = await openDesk(journey, 'people')
    const complaints = complaintsOf(page)
    await page.getByText('someone.else@').waitFor()
    await translate(page)
    expect(await page.locator('tbody font').filter({ hasText: 'example.com' }).count()).toBe(0)
    await page.getByRole('searchbox').fill('hopper')
    await page.getByText('someone.else@').waitFor({ state: 'detached' })
    await page.getByRole('searchbox').fill('')
    await page.getByText('someone.else@').waitFor()
    await page.getByRole('link', { name: 'grace.hopper@example.com' }).click()
    await page.getByRole('heading', { name: 'grace.hopper@example.com' }).waitFor()
    const views = page.getByRole('navigation').first().getByRole('link')
    for (const view of await views.all()) {
      await view.click()
      await page.locator('h1').waitFor()
    }
    await page.getByRole('link', { name: /^Page/ }).first().click()
    await typeTooMuch(page)
    // The preview is a frame without scripts, the translator's too.
    expect(complaints.filter((one) => !one.includes('about:srcdoc'))).toEqual([])
  })
})

test('what was typed before the script has started stays, whatever others have changed in the form', async () => {
  const page = await journey.open()
  await page.route(/assets\/react-/, async (route) => {
    await page.waitForFunction(() => document.querySelector('[data-extension]'))
    await route.continue()
  })
  await page.goto('/')
  const { field, form } = heroForm(page)
  const address = newAddress()
  await field.fill(address)
  await field.evaluate((element) => {
    const button = document.createElement('div')
    button.dataset['extension'] = ''
    element.after(button)
    element.closest('form')?.prepend(button.cloneNode())
  })
  await translate(page)
  await hydrate(page)
  expect(await field.inputValue()).toBe(address)
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await field.press('Enter')
  await form.getByText('Sent', { exact: true }).waitFor()
})

/** More than there is room for, which the field tells while it lasts. */
async function typeTooMuch(page: Page): Promise<void> {
  const field = page.locator('[name="brand.name"]')
  const published = await field.inputValue()
  await field.fill('Long '.repeat(40))
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('button', { name: 'Put back' }).click()
  await page.getByRole('button', { name: 'Put back' }).waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe(published)
}

function copied(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}
