import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openStartLink, startJourney } from './journey.ts'

// As an image is started: it knows neither its address nor a mail service.
const journey = startJourney({ NODE_ENV: 'production', SMTP_URL: '' })
const password = 'correct horse'
const owner = 'mara@turnbot.example'

async function typeInto(page: Page, texts: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await page.locator(`[name="${name}"]`).fill(text)
  }
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

/** Nothing that is typed is saved until the function is called. */
async function holdSaving(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/desk/api/page.save*', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** As at a host name: this server is open at an IP address, which browsers make no passkey for. */
async function offerPasskeysHere(page: Page): Promise<void> {
  await page.route('**/desk/api/you.show*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    json.result.data.passkeyObstacle = null
    await route.fulfill({ response, json })
  })
}

async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

async function statusForStrangers(): Promise<number> {
  return (await fetch(journey.product.url)).status
}

test('from the link in the log a new owner sets up mail and address, and opens the page', async () => {
  await journey.inbox.restart({
    onAuth: ({ password: given, username: user }, _session, done) =>
      given === password
        ? done(null, { user })
        : done(Object.assign(new Error('5.7.8 Not accepted'), { responseCode: 535 })),
  })
  const page = await openStartLink(journey)
  await offerPasskeysHere(page)
  const icon = page.getByRole('navigation', { name: 'Desk' }).locator('img')
  await expect.poll(() => icon.evaluate((img: HTMLImageElement) => img.naturalWidth)).not.toBe(0)
  await page.locator('input[type=email]').fill('mara@gmial.com')
  await press(page, 'Continue')
  await page.getByText('Did you mean mara@gmail.com?').waitFor()
  await page.locator('input[type=email]').fill(owner)
  await press(page, 'Continue')
  await heading(page, 'Three things are missing before you open.')
  await page.getByRole('button', { name: 'Make a passkey' }).waitFor()
  expect(await statusForStrangers()).toBe(503)

  await page.getByRole('link', { name: 'Your mail service' }).click()
  await typeInto(page, {
    'mail.host': '127.0.0.1',
    'mail.port': String(journey.inbox.port),
    'mail.user': 'mara',
    'mail.password': 'wrong',
    'mail.from': 'Turn Bot <bot@turnbot.example>',
  })
  await press(page, 'Send me a test mail')
  await heading(page, /password/)
  await page.getByText('535 5.7.8 Not accepted,').waitFor()
  await page.getByText('Check user and password').waitFor()
  expect(journey.inbox.mails).toEqual([])
  await typeInto(page, { 'mail.password': password })
  await press(page, 'Send me a test mail')
  await heading(page, 'The test mail was sent.')
  await journey.inbox.arrival(1, owner)
  await press(page, 'Save')
  await page.getByText('Your mail service is done.').waitFor()
  expect(await page.locator('[name="mail.password"]').inputValue()).toBe('')

  await page.getByRole('link', { name: 'Back to Ready' }).click()
  await page.getByRole('link', { name: 'Your address on the internet' }).click()
  expect(await page.locator('[name=publicUrl]').inputValue()).toBe(journey.product.url)
  await press(page, 'Save')
  await heading(page, journey.product.url)

  await page.getByRole('link', { name: 'Back to Ready' }).click()
  await page.getByRole('listitem').getByRole('link', { name: 'You', exact: true }).click()
  const save = await holdSaving(page)
  await typeInto(page, {
    'brand.creatorName': 'Mara Lindholm',
    'brand.postalAddress': '1 Quay, Stockholm',
  })
  await press(page, 'Publish')
  await page.waitForRequest('**/desk/api/page.show*')
  save()
  await press(page, 'Publish now')
  await page.getByText('Published', { exact: true }).waitFor()
  expect(await statusForStrangers()).toBe(503)

  await page.getByRole('link', { name: 'Ready' }).click()
  await heading(page, 'Nothing is missing.')
  expect(await page.getByRole('button', { name: 'Make a passkey' }).count()).toBe(0)
  await press(page, 'Open the page')
  await press(page, 'Open it now')
  await heading(page, 'Your page is open.')
  expect(await statusForStrangers()).toBe(200)
  const visitor = await journey.open({ javaScriptEnabled: false })
  await visitor.goto('/')
  await visitor.getByText('Mara Lindholm').first().waitFor()
})
