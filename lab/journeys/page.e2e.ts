import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hydrate, startJourney } from './journey.ts'

const journey = startJourney({}) // without an owner

/** Opens the link that the first start prints. Resolves when the next press takes the desk. */
async function openStartLink(): Promise<Page> {
  const page = await journey.open()
  const link = () => /\S+\/desk\/start#\S+/.exec(journey.product.printed())?.[0] ?? ''
  await expect.poll(link).not.toBe('')
  await page.goto(link())
  await page.locator('input[type=email]').fill('owner@example.com')
  return page
}

function fieldOf(page: Page, path: string) {
  return page.locator(`[name="${path}"]`)
}

const headline = 'landingPage.hero.heading.0'
const script = `//@version=6
// Version 1.0.0, 2026-11-25
strategy("RSI turn", "RSI")
plot(ta.rsi(close, 14))
`

test('from the first start, the forms of Ready lead to the own published page in at most 25 presses and 8 fields', async () => {
  const page = await openStartLink()
  let presses = 0
  let fields = 1 // the owner's address
  const press = async (pressed: Locator) => {
    presses += 1
    await pressed.click()
  }
  const write = async (path: string, words: string) => {
    fields += 1
    await press(fieldOf(page, path))
    await fieldOf(page, path).fill(words)
  }
  const next = (form: string) => press(page.getByRole('link', { name: `Next: ${form}` }))
  await press(page.getByRole('button', { name: 'Continue' }))
  await press(page.getByRole('link', { name: 'Your script' }))
  await press(page.getByText('Paste it instead'))
  await page.locator('textarea[name=script]').fill(script)
  fields += 1
  await press(page.getByRole('button', { name: 'Use this script' }))
  await page.getByText('Version 1.0.0 of 2026-11-25').waitFor()
  await write('kit.rule', 'It buys when the price has fallen far.')
  await next('Your guide')
  await next('You')
  await write('brand.creatorName', 'Mara Lindholm')
  await write('brand.postalAddress', '1 Quay, Stockholm')
  await next('Your words')
  await write(headline, 'Buy the dip')
  await write('landingPage.hero.heading.1', 'that turned.')
  await write('landingPage.creatorNote.paragraphs.0', 'I wrote it on a train.')
  await press(page.getByRole('button', { name: 'Publish', exact: true }))
  await press(page.getByRole('button', { name: 'Publish now' }))
  await page.getByText('Published', { exact: true }).waitFor()
  expect(presses).toBeLessThanOrEqual(25)
  expect(fields).toBeLessThanOrEqual(8)

  await page.goto('/')
  await hydrate(page)
  const words = await page.locator('body').innerText()
  const ownWords = ['Mara Lindholm', 'Buy the dip', 'that turned.', 'I wrote it on a train.']
  for (const own of [...ownWords, 'It buys when the price has fallen far.']) {
    expect(words).toContain(own)
  }
  const mail = await journey.signUpByPost()
  expect(mail.text).toContain('1 Quay, Stockholm')
  const given = await fetch(`${mail.kit}/ema-crossover.pine`)
  expect(await given.text()).toBe(script)
})
