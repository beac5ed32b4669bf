import { expect, test } from 'vitest'
import { heroForm, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney()
const noScript = { javaScriptEnabled: false }

test('the form posts itself and is answered in the words of the toast', async () => {
  const page = await journey.visit('/', noScript)
  const address = newAddress()
  await signUp(heroForm(page), address)
  await page
    .getByRole('heading', { level: 1, name: 'Success! Check your email for the download link.' })
    .waitFor()
  const text = await page.getByRole('main').textContent()
  expect(text).toContain('The bot script and setup guide are on their way!')
  expect(text).toContain(address)
  const links = await page
    .locator('[href], [src], [action]')
    .evaluateAll((all) => all.map((one) => one.outerHTML.split('>')[0]))
  expect(links.join()).not.toContain(address)
  await journey.inbox.arrival(1, address)
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await page.waitForURL('/')
})

test('an invalid address comes back in the form, with the message under the field, and can be corrected', async () => {
  const page = await journey.visit('/', noScript)
  // Chromium accepts a domain without a dot, we do not.
  await signUp(heroForm(page), 'ana@example')
  await page.getByText('Please enter a valid email address').waitFor()
  const { field } = heroForm(page)
  expect(await field.inputValue()).toBe('ana@example')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  const message = page.locator(`#${await field.getAttribute('aria-describedby')}`)
  expect(await message.textContent()).toBe('Please enter a valid email address')
  const address = newAddress()
  await signUp(heroForm(page), address)
  await page.getByRole('heading', { level: 1, name: 'Success!' }).waitFor()
  await journey.inbox.arrival(1, address)
})

test('a press before the script has loaded posts the plain form', async () => {
  const page = await journey.open()
  await page.route('**/assets/*.js', () => {}) // never answered
  await page.goto('/', { waitUntil: 'commit' })
  const address = newAddress()
  await signUp(heroForm(page), address)
  await page.getByRole('heading', { level: 1, name: 'Success!' }).waitFor()
  await journey.inbox.arrival(1, address)
})
