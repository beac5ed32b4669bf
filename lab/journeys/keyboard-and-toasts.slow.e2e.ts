import { expect, test } from 'vitest'
import { landingPage } from '#content/pages/landing-page.ts'
import { signUp as signUpWords } from '#content/pages/sign-up.ts'
import { heroForm, hydrate, legendTerm, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney()

test('the focus is where it was once a toast is dismissed, after a press of Space too', async () => {
  const page = await journey.visit('/')
  const { field, button } = heroForm(page)
  await field.fill(newAddress())
  await button.focus()
  await page.keyboard.press('Space')
  await page.getByText('Success! Check your email').waitFor()
  await page.locator('section.toasts').getByRole('button').click()
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a success toast closes after 8 s, and the note under the form stays', async () => {
  const { page, toast } = await signUpWithStoppedClock()
  await page.clock.fastForward(7000)
  expect(await toast.isVisible()).toBe(true)
  await page.clock.fastForward(1500)
  await page.clock.fastForward(500)
  await toast.waitFor({ state: 'detached' })
  expect(await heroForm(page).form.locator('.note-heading').isVisible()).toBe(true)
})

test('a success toast stays while the pointer is on it, and 8 s longer', async () => {
  const { page, toast } = await signUpWithStoppedClock()
  await page.clock.fastForward(5000)
  await toast.hover()
  await page.clock.fastForward(20_000)
  expect(await toast.isVisible()).toBe(true)
  await page.mouse.move(0, 0)
  await page.clock.fastForward(7000)
  expect(await toast.isVisible()).toBe(true)
  await page.clock.fastForward(1500)
  await toast.waitFor({ state: 'detached' })
})

test('a tooltip of the chart of our script opens on hover, on focus and on a tap, and closes on Escape', async () => {
  const page = await journey.visit('/', { hasTouch: true })
  const term = page.getByRole('button', { name: legendTerm('slow').term })
  const tip = page.getByRole('tooltip').filter({ hasText: legendTerm('slow').tip })
  await term.hover()
  await tip.waitFor()
  await tip.hover() // the pointer may move onto it
  expect(await tip.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await tip.waitFor({ state: 'hidden' })
  await page.mouse.move(0, 0)
  await term.focus()
  await tip.waitFor()
  await page.keyboard.press('Escape')
  await tip.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { level: 1 }).tap()
  await term.tap()
  await tip.waitFor()
})

test('every target is at least 44 px high and wide, except links inside a sentence', async () => {
  const page = await journey.visit('/', { viewport: { width: 390, height: 900 } })
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('a[href], button, input')]
      .filter((element) => !element.closest('p') && element.checkVisibility())
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        // A hit area may be wider than what is seen.
        const { top, left } = getComputedStyle(element, '::before')
        const more = (side: string) => Math.max(0, -2 * Number.parseFloat(side)) || 0
        return width + more(left) < 44 || height + more(top) < 44
      })
      .map((element) => element.textContent),
  )
  expect(small).toEqual([])
})

test('a press on "Try other lengths" that fetches nothing says so, and works once there is a network', async () => {
  const page = await journey.visit('/')
  await hydrate(page)
  const button = page.getByRole('button', { name: landingPage.tryLengths.button })
  await page.route('**/lengths.json?*', (route) => route.abort())
  await button.click()
  await page.getByRole('alert').getByText(signUpWords.toasts.unreachable.title).waitFor()
  await page.unroute('**/lengths.json?*')
  await button.click()
  await page.locator('input[name=fast]').waitFor()
})

async function signUpWithStoppedClock() {
  const page = await journey.visit('/', { isNew: true })
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt('1970-01-02')
  await signUp(heroForm(page), newAddress())
  const toast = page.locator('section.toasts').getByText('Success! Check your email')
  await toast.waitFor()
  return { page, toast }
}
