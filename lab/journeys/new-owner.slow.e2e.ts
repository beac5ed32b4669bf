import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hydrate, openStartLink, startJourney } from './journey.ts'

// The start of an image: it knows neither its owner nor its address nor a mail service.
const journey = startJourney({ NODE_ENV: 'production', SMTP_URL: '' })

function fieldOf(page: Page, path: string) {
  return page.locator(`[name="${path}"]`)
}

const script = `//@version=6
// Version 1.0.0, 2026-11-25
strategy("RSI turn", "RSI")
plot(ta.rsi(close, 14))
`

test('from the first link, the forms of Ready lead to the open page of an owner in at most 40 presses and 12 fields', async () => {
  const page = await openStartLink(journey)
  let presses = 0
  let fields = 0
  const press = async (pressed: Locator) => {
    presses += 1
    await pressed.click()
  }
  const pressButton = (name: string) => press(page.getByRole('button', { name, exact: true }))
  const pressLink = (name: string) => press(page.getByRole('link', { name }))
  const type = async (field: Locator, words: string) => {
    fields += 1
    await press(field)
    await field.fill(words)
  }
  const write = (path: string, words: string) => type(fieldOf(page, path), words)
  await type(page.locator('input[type=email]'), 'owner@example.com')
  await pressButton('Continue')

  await pressLink('Your script')
  await press(page.getByText('Paste it instead'))
  await type(page.locator('textarea[name=script]'), script)
  await pressButton('Use this script')
  await page.getByText('Version 1.0.0 of 2026-11-25').waitFor()
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
  await write('colour', '#7a3cff')
  await pressButton('Publish')
  await pressButton('Publish now')
  await page.getByText('Published', { exact: true }).waitFor()

  await pressLink('Ready')
  await pressLink('Your mail service')
  await write('mail.host', '127.0.0.1')
  await write('mail.port', String(journey.inbox.port))
  await write('mail.from', 'bot@turnbot.example')
  await pressButton('Send me a test mail')
  await page.getByRole('heading', { name: 'The test mail was sent.' }).waitFor()
  await pressButton('Save')
  await page.getByText('Your mail service is done.').waitFor()
  await pressLink('Back to Ready')
  await pressLink('Your address on the internet')
  await pressButton('Save')
  await page.getByRole('heading', { level: 1, name: journey.product.url }).waitFor()
  await pressLink('Back to Ready')
  await pressButton('Open the page')
  await pressButton('Open it now')
  await page.getByRole('heading', { name: 'Your page is open.' }).waitFor()
  expect(presses).toBeLessThanOrEqual(40)
  expect(fields).toBeLessThanOrEqual(12)

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
})
