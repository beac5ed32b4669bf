import { describe, expect, test } from 'vitest'
import { landingPage } from '#content/pages/landing-page.ts'
import { bottomForm, heroForm, legendTerm, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney()
const noScript = { javaScriptEnabled: false }

test('an address that is on the list gets the page that says so', async () => {
  const address = newAddress()
  const page = await journey.visit('/', noScript)
  await signUp(heroForm(page), address)
  await page.getByRole('heading', { level: 1, name: 'Success!' }).waitFor()
  await page.goto('/')
  await signUp(heroForm(page), address)
  await page.getByRole('heading', { level: 1, name: "You're already on the list!" }).waitFor()
  expect(await page.getByRole('main').textContent()).toContain(
    'Check your inbox for the original email with your download.',
  )
  const note = page.locator('.result-note')
  const words = await note.locator('p').boundingBox()
  expect((words?.y ?? 0) - ((await note.locator('.glyph').boundingBox())?.y ?? 0)).toBeLessThan(10)
})

test.each([
  ['Yes, use it', 'ana@gmail.com'],
  ['No, keep ana@gmial.com', 'ana@gmial.com'],
])('a likely slip is asked about on a page: "%s" sends %s', async (choice, sent) => {
  const page = await journey.visit('/', noScript)
  await signUp(heroForm(page), 'ana@gmial.com')
  await page.getByRole('heading', { level: 1, name: 'Did you mean ana@gmail.com?' }).waitFor()
  expect(journey.inbox.mails.filter((mail) => mail.to[0] === sent)).toEqual([])
  await page.getByRole('button', { name: choice }).click()
  await page.getByRole('heading', { level: 1, name: 'Success!' }).waitFor()
  await journey.inbox.arrival(1, sent)
})

describe('above a limit', () => {
  const limited = startJourney({ LIMIT_IP_PER_10_MIN: '1' })

  test('an error returns the form with the address, in the words of the toast, and can be tried again', async () => {
    const page = await limited.visit('/', noScript)
    await signUp(heroForm(page), newAddress())
    await page.getByRole('heading', { level: 1, name: 'Success!' }).waitFor()
    await page.goto('/?utm_source=forum')
    const address = newAddress()
    await signUp(bottomForm(page), address)
    const heading = page.getByRole('heading', { level: 1, name: 'Oops! Something went wrong.' })
    await heading.waitFor()
    expect(await page.getByRole('main').textContent()).toContain(
      'Please try again or contact support if the issue persists.',
    )
    await page.getByText(/Too many sign-ups right now\. Try again in \d+ minutes?\./).waitFor()
    const { form, field, button } = heroForm(page)
    expect(await field.inputValue()).toBe(address)
    expect(await form.locator('input[name=form]').inputValue()).toBe('closing')
    expect(await form.locator('input[name=campaign]').inputValue()).toBe('forum')
    const [again] = await Promise.all([
      page.waitForResponse('**/send-starter-bot-email'),
      button.click(),
    ])
    expect(again.status()).toBe(429)
    await heading.waitFor()
    expect(await field.inputValue()).toBe(address)
  })
})

test('the whole page is readable, and the tooltip shows on focus', async () => {
  const page = await journey.visit('/', noScript)
  for (const heading of ["What's Included", 'How It Works', landingPage.creatorNote.heading]) {
    expect(await page.getByRole('heading', { name: heading }).isVisible()).toBe(true)
  }
  const tip = page.getByText(legendTerm('fast').tip)
  expect(await tip.isVisible()).toBe(false)
  await page.getByRole('button', { name: legendTerm('fast').term }).focus()
  await tip.waitFor()
})
