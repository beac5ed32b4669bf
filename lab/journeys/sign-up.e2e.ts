import type { Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { bottomForm, heroForm, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney()
const functionPath = '**/functions/v1/send-starter-bot-email'

test('a sign-up is confirmed, and the mail arrives', async () => {
  const page = await journey.visit('/', { isNew: true })
  const form = heroForm(page)
  const address = newAddress()
  expect(await form.button.textContent()).toBe('Download Now for Free')
  await page.clock.setFixedTime(Date.now()) // the note asks after 1 s, and moves on
  await signUp(form, address)
  const toast = page
    .getByRole('status')
    .filter({ hasText: 'Success! Check your email for the download link.' })
  await toast.waitFor()
  expect(await toast.textContent()).toContain('The bot script and setup guide are on their way!')
  await form.form.getByText('On its way').waitFor()
  expect(await form.form.textContent()).toContain(address)
  expect(await form.field.inputValue()).toBe('')
  const [mail] = await journey.inbox.arrival(1, address)
  expect(mail?.to).toEqual([address])
})

test('an address that is on the list gets its toast and no second mail, and the form is reset', async () => {
  const address = newAddress()
  const page = await journey.visit('/')
  await signUp(heroForm(page), address)
  await page.getByText('Success! Check your email').waitFor()
  await journey.inbox.arrival(1, address)
  await signUp(bottomForm(page), address.toUpperCase())
  const toast = page.getByRole('status').filter({ hasText: "You're already on the list!" })
  await toast.waitFor()
  expect(await toast.textContent()).toContain(
    'Check your inbox for the original email with your download.',
  )
  await expect.poll(() => bottomForm(page).field.inputValue()).toBe('')
  expect(journey.inbox.mails.filter((mail) => mail.to[0]?.toLowerCase() === address)).toHaveLength(
    1,
  )
})

const slip = 'ana@gmial.com'

test.each([
  ['Yes, use it', 'ana@gmail.com', 'form=hero&suggestion=accepted'],
  ['No, keep ana@gmial.com', slip, 'form=hero'],
])(
  'a likely slip is asked about before it is sent: "%s" sends %s',
  async (choice, sent, attribution) => {
    const page = await journey.visit('/')
    const requests: Request[] = []
    page.on('request', (request) => request.method() === 'POST' && requests.push(request))
    const { form, field } = heroForm(page)
    await field.fill(slip)
    await field.press('Enter')
    await form.getByRole('status').getByText('Did you mean ana@gmail.com?').waitFor()
    await field.press('Enter') // a double press sends nothing
    expect(requests).toEqual([])
    await form.getByRole('button', { name: choice }).click()
    await page.getByText('Success! Check your email').waitFor()
    const [request] = requests
    expect(request?.postData()).toBe(`{"email":"${sent}"}`)
    expect(await request?.headerValue('x-attribution')).toBe(attribution)
    await journey.inbox.arrival(1, sent)
  },
)

test('an invalid address is announced, and takes away the success that was said before', async () => {
  const page = await journey.visit('/')
  await signUp(heroForm(page), newAddress())
  const success = page.getByText('Success! Check your email')
  await success.waitFor()
  await signUp(heroForm(page), 'ana@')
  await page.getByRole('alert').getByText('Please enter a valid email address').waitFor()
  expect(await success.count()).toBe(0)
})

test('a dead network shows its own toast, and the same press works once the network is back', async () => {
  const page = await journey.visit('/', { isNew: true })
  const address = newAddress()
  await page.context().setOffline(true)
  await signUp(heroForm(page), address)
  const toast = page.getByRole('alert').filter({ hasText: 'Network error occurred.' })
  await toast.waitFor()
  expect(await toast.textContent()).toContain('Please check your connection and try again.')
  expect(await heroForm(page).field.inputValue()).toBe(address)
  await page.context().setOffline(false)
  await heroForm(page).button.click()
  await page.getByText('Success! Check your email').waitFor()
  expect(await toast.count()).toBe(0) // a new submit removes the toast of the last one
  await journey.inbox.arrival(1, address)
})

test('a second press during a request sends nothing, and the other form is unaffected', async () => {
  const page = await journey.visit('/')
  let requests = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(functionPath, async (route) => {
    requests += 1
    await released
    await route.continue()
  })
  const form = heroForm(page)
  const address = newAddress()
  await signUp(form, address)
  await form.form.getByText('Processing...').waitFor()
  expect(await form.button.isDisabled()).toBe(true)
  await form.field.press('Enter')
  await form.button.click({ force: true })
  await form.form.evaluate((element: HTMLFormElement) => element.requestSubmit())
  expect(await form.field.inputValue()).toBe(address)
  expect(await bottomForm(page).button.textContent()).toBe('Get My Free Bot')
  expect(await bottomForm(page).button.isEnabled()).toBe(true)
  await signUp(bottomForm(page), 'not an address')
  await bottomForm(page).form.getByText('Please enter a valid email address').waitFor()
  expect(await form.button.textContent()).toBe('Processing...')
  release()
  await page.getByText('Success! Check your email').waitFor()
  expect(requests).toBe(1)
  expect(await bottomForm(page).field.inputValue()).toBe('not an address')
})

test('a page hydrates without any gesture', async () => {
  const page = await journey.open()
  await page.goto('/')
  await page.locator('form[novalidate]').first().waitFor()
})
