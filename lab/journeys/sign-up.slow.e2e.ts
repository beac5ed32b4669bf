import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { bottomForm, heroForm, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney()
const functionPath = '**/functions/v1/send-starter-bot-email'

const slip = 'ana@gmial.com'

test('the question about a slip goes with the next key', async () => {
  const page = await journey.visit('/')
  const { form, field } = heroForm(page)
  await signUp(heroForm(page), slip)
  await form.getByText('Did you mean ana@gmail.com?').waitFor()
  await field.press('End')
  await field.press('Backspace')
  await form.getByText('Did you mean ana@gmail.com?').waitFor({ state: 'detached' })
})

test('the message of an invalid address stands under the field, not under the button, at every width', async () => {
  const page = await journey.visit('/')
  const { form, field, button } = heroForm(page)
  await signUp(heroForm(page), 'ana@')
  const message = form.getByText('Please enter a valid email address')
  for (const width of [320, 390, 540, 560, 768, 1112, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const boxes = [field, button, message].map(async (part) => (await part.boundingBox())!)
    const [under, press, words] = await Promise.all(boxes)
    expect(words!.y, `${width} px`).toBeGreaterThanOrEqual(under!.y + under!.height)
    const isBelow = press!.y >= under!.y + under!.height
    if (isBelow) expect(words!.y, `${width} px`).toBeLessThan(press!.y)
  }
})

test('on a phone the question about a slip is seen with its answers', async () => {
  const page = await journey.visit('/', { viewport: { width: 320, height: 640 } })
  await signUp(heroForm(page), slip)
  const question = heroForm(page).form.getByText('Did you mean ana@gmail.com?')
  await question.waitFor()
  expect((await question.boundingBox())?.width).toBeGreaterThan(50)
})

test.each([
  [360, 640],
  [320, 568],
  [844, 390],
])('at %i × %i what answers a press comes into view, in both forms', async (width, height) => {
  const page = await journey.visit('/', { viewport: { width, height }, hasTouch: true })
  for (const formOf of [heroForm, bottomForm]) {
    const { form, field, button } = formOf(page)
    for (const [typed, answer] of [
      [slip, '.asked'],
      ['ana@', '.fault'],
      [newAddress(), '.note-heading'],
    ] as const) {
      await field.fill(typed)
      await button.tap()
      const box = form.locator(answer)
      await box.waitFor()
      await expect.poll(() => isInView(box, height)).toBe(true)
    }
  }
})

async function isInView(element: Locator, height: number): Promise<boolean> {
  const box = await element.boundingBox()
  return box !== null && box.y >= 0 && box.y + box.height <= height
}

test('the message under the field disappears once the address is valid, and one that was pasted with its name is', async () => {
  const page = await journey.visit('/')
  const { form, field } = heroForm(page)
  const message = form.getByText('Please enter a valid email address')
  await signUp(heroForm(page), 'ana@')
  await message.waitFor()
  await field.pressSequentially('gmial')
  expect(await message.count()).toBe(1)
  await field.pressSequentially('.com')
  await expect.poll(() => message.count()).toBe(0)
  expect(await field.getAttribute('aria-invalid')).toBeNull()
  const address = newAddress()
  await signUp(heroForm(page), `Jane Doe <${address}>,`)
  await page.getByText('Success! Check your email').waitFor()
  await journey.inbox.arrival(1, address)
})

test('each invalid address gets the message under the field, and nothing is sent', async () => {
  const page = await journey.visit('/')
  let requests = 0
  await page.route(functionPath, (route) => {
    requests += 1
    return route.continue()
  })
  const { form, field, button } = heroForm(page)
  const message = form.getByText('Please enter a valid email address')
  for (const address of [
    '',
    'ana',
    'ana@',
    'ana@example',
    'ana@exam ple.com',
    'a..b@example.com',
  ]) {
    await field.fill('ana@example.com')
    await expect.poll(() => message.count()).toBe(0)
    await field.fill(address)
    await button.click()
    await message.waitFor()
    expect(await field.getAttribute('aria-invalid'), address).toBe('true')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await field.inputValue()).toBe(address)
  }
  const other = bottomForm(page).form.getByText('Please enter a valid email address')
  expect(await other.count()).toBe(0)
  expect(requests).toBe(0)
})

test('an error answer shows its toast, and the address stays in the field; a limit is told under it with its time', async () => {
  const page = await journey.visit('/')
  await page.route(functionPath, (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'unavailable', message: 'No' } } }),
  )
  const address = newAddress()
  await signUp(heroForm(page), address)
  const toast = page.getByRole('alert').filter({ hasText: 'Oops! Something went wrong.' })
  await toast.waitFor()
  expect(await toast.textContent()).toContain(
    'Please try again or contact support if the issue persists.',
  )
  await expect.poll(() => heroForm(page).button.isEnabled()).toBe(true)
  expect(await heroForm(page).field.inputValue()).toBe(address)

  const headers = { 'retry-after': '540' }
  await page.route(functionPath, (route) =>
    route.fulfill({ status: 429, headers, json: { error: {} } }),
  )
  await heroForm(page).button.click()
  await heroForm(page)
    .form.getByText(/^Too many sign-ups right now\. Try again (tomorrow )?at \d\d:\d\d\.$/)
    .waitFor()
  await toast.waitFor()
})
