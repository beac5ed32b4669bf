import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hydrate, openStartLink, startJourney } from './journey.ts'

// As an image is started: it knows neither its owner nor its address nor a mail service.
const journey = startJourney({ NODE_ENV: 'production', SMTP_URL: '' })
const password = 'correct horse'
const owner = 'mara@turnbot.example'
const script = `//@version=6
// Version 1.0.0, 2026-11-25
strategy("RSI turn", "RSI")
plot(ta.rsi(close, 14))
`

test('from the link in the log, the forms of Ready lead a new owner to the open page in at most 40 presses and 12 fields', async () => {
  await refuseOtherPasswords()
  const page = await openStartLink(journey)
  await offerPasskeysHere(page)
  const icon = page.getByRole('navigation', { name: 'Desk' }).locator('img')
  await expect.poll(() => icon.evaluate((img: HTMLImageElement) => img.naturalWidth)).not.toBe(0)
  await mistypeOwner(page)
  const { pressButton, pressLink, press, type, write, used } = countingHand(page)
  await type(page.locator('input[type=email]'), owner)
  await pressButton('Continue')
  await heading(page, 'Three things are missing before you open.')
  await page.getByRole('button', { name: 'Make a passkey' }).waitFor()
  expect(await statusForStrangers()).toBe(503)

  await pressLink('Your script')
  await press(page.getByText('Paste it instead'))
  await pasteOldScript(page)
  await type(page.locator('textarea[name=script]'), script)
  await pressButton('Use this script')
  await page.getByText('Version 1.0.0 of 2026-11-25').waitFor()
  await page.locator('textarea[name=script]').waitFor({ state: 'hidden' })
  await write('kit.rule', 'It buys when the price has fallen far.')
  await pressLink('Next: Your guide')
  await pressLink('Next: You')
  await write('brand.creatorName', 'Mara Lindholm')
  await write('brand.postalAddress', '1 Quay, Stockholm')
  await pressLink('Next: Your words')
  await write('landingPage.hero.heading.0', 'Buy the dip')
  await write('landingPage.hero.heading.1', 'that turned.')
  await write('landingPage.creatorNote.paragraphs.0', 'I wrote it on a train.')
  await pressLink('Next: Your colour')
  const save = await holdSaving(page)
  await write('colour', '#7a3cff')
  await pressButton('Publish')
  await page.waitForRequest('**/desk/api/page.show*')
  save()
  await pressButton('Publish now')
  await page.getByText('Published', { exact: true }).waitFor()
  expect(await statusForStrangers()).toBe(503)

  await pressLink('Ready')
  await pressLink('Your mail service')
  await write('mail.host', '127.0.0.1')
  await write('mail.port', String(journey.inbox.port))
  await write('mail.from', 'bot@turnbot.example')
  await tryWrongPassword(page)
  await fieldOf(page, 'mail.password').fill(password)
  await pressButton('Send me a test mail')
  await heading(page, 'The test mail was sent.')
  await journey.inbox.arrival(1, owner)
  await pressButton('Save')
  await page.getByText('Your mail service is done.').waitFor()
  expect(await fieldOf(page, 'mail.password').inputValue()).toBe('')
  await pressLink('Back to Ready')
  await pressLink('Your address on the internet')
  expect(await fieldOf(page, 'publicUrl').inputValue()).toBe(journey.product.url)
  await pressButton('Save')
  await heading(page, journey.product.url)
  await pressLink('Back to Ready')
  await heading(page, 'Nothing is missing.')
  expect(await page.getByRole('button', { name: 'Make a passkey' }).count()).toBe(0)
  await pressButton('Open the page')
  await pressButton('Open it now')
  await heading(page, 'Your page is open.')
  expect(used.presses).toBeLessThanOrEqual(40)
  expect(used.fields).toBeLessThanOrEqual(12)
  await expectOwnPage(page)
})

/** Presses and types as an owner does, and counts it. */
function countingHand(page: Page) {
  const used = { presses: 0, fields: 0 }
  const press = async (pressed: Locator) => {
    used.presses += 1
    await pressed.click()
  }
  const type = async (field: Locator, words: string) => {
    used.fields += 1
    await press(field)
    await field.fill(words)
  }
  return {
    used,
    press,
    type,
    pressButton: (name: string) => press(page.getByRole('button', { name, exact: true })),
    pressLink: (name: string) => press(page.getByRole('link', { name })),
    write: (path: string, words: string) => type(fieldOf(page, path), words),
  }
}

function fieldOf(page: Page, path: string) {
  return page.locator(`[name="${path}"]`)
}

async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

async function statusForStrangers(): Promise<number> {
  return (await fetch(journey.product.url)).status
}

/** The mail service asks for a password. */
function refuseOtherPasswords(): Promise<void> {
  return journey.inbox.restart({
    onAuth: ({ password: given, username: user }, _session, done) =>
      given === password
        ? done(null, { user })
        : done(Object.assign(new Error('5.7.8 Not accepted'), { responseCode: 535 })),
  })
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

/** A refused script stays in its field, to be corrected. */
async function pasteOldScript(page: Page): Promise<void> {
  const field = page.locator('textarea[name=script]')
  await field.fill('//@version=4\nstudy("Old")')
  await page.getByRole('button', { name: 'Use this script', exact: true }).click()
  await page.getByText('It is in an old version of Pine').waitFor()
  expect(await field.isVisible()).toBe(true)
  expect(await field.inputValue()).toContain('study("Old")')
}

async function mistypeOwner(page: Page): Promise<void> {
  await page.locator('input[type=email]').fill('mara@gmial.com')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByText('Did you mean mara@gmail.com?').waitFor()
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

/** Not every mail service has a user and a password: they are not counted. */
async function tryWrongPassword(page: Page): Promise<void> {
  await fieldOf(page, 'mail.user').fill('mara')
  await fieldOf(page, 'mail.password').fill('wrong')
  await page.getByRole('button', { name: 'Send me a test mail', exact: true }).click()
  await heading(page, /password/)
  await page.getByText('535 5.7.8 Not accepted,').waitFor()
  await page.getByText('Check user and password').waitFor()
  expect(journey.inbox.mails).toEqual([])
}

async function expectOwnPage(page: Page): Promise<void> {
  expect(await statusForStrangers()).toBe(200)
  await page.goto('/')
  await hydrate(page)
  const words = await page.locator('body').innerText()
  for (const own of ['Mara Lindholm', 'Buy the dip', 'that turned.', 'I wrote it on a train.']) {
    expect(words).toContain(own)
  }
  expect(words).toContain('It buys when the price has fallen far.')
  expect(await page.content()).toContain('#7a3cff')
  const mail = await journey.signUpByPost()
  expect(mail.text).toContain('1 Quay, Stockholm')
  const given = await fetch(`${mail.kit}/ema-crossover.pine`)
  expect(await given.text()).toBe(script)
}
