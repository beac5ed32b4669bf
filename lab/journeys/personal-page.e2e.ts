import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { personalPage } from '#content/pages/personal-page.ts'
import { complaintsOf, openPersonalPage, startJourney } from './journey.ts'

const journey = startJourney()
const script = readFileSync(
  join(import.meta.dirname, '../../dist/site/kit/ema-crossover.pine'),
  'utf8',
)
const clipboard = ['clipboard-read', 'clipboard-write']

test('Copy script copies the file byte for byte, says so, and keeps the focus', async () => {
  const { page } = await openPersonalPage(journey, { permissions: clipboard })
  const complaints = complaintsOf(page)
  const button = page.getByRole('button', { name: personalPage.script.copy })
  await button.focus()
  const [counted] = await Promise.all([
    page.waitForResponse('**/taken'),
    page.keyboard.press('Enter'),
  ])
  expect(counted.status()).toBe(204)
  await page
    .getByRole('status')
    .getByText(personalPage.script.copied.replace(/.*\{lines\}/, '').trim())
    .waitFor()
  await page.getByRole('button', { name: personalPage.script.copiedName }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(script)
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(complaints).toEqual([])
})

test('the form writes the message of a bridge, and nothing is sent', async () => {
  const { page } = await openPersonalPage(journey, { permissions: clipboard })
  const complaints = complaintsOf(page)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const { bridges } = personalPage
  await page.getByRole('radio', { name: 'TradersPost' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('Symbol, as MetaTrader names it').fill('EURUSD')
  await page.getByLabel('Size, in lots').fill('0,01')
  await page.getByRole('radio', { name: bridges.directions.longAndShort }).check()
  const panel = page.locator('.bridge-panel:visible')
  expect(await panel.locator('pre:visible').textContent()).toBe(
    'YOUR-LICENSE-ID,{{strategy.order.alert_message}},EURUSD,vol_lots=0.01',
  )
  expect(await panel.locator('dl').textContent()).toContain(bridges.directions.longAndShort)
  expect(await panel.getByText('A hedging account').isVisible()).toBe(true)
  expect(await panel.getByText('YOUR-LOTS is').isVisible()).toBe(false)
  await panel.locator('button:visible').click()
  await panel.getByText(bridges.copied).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await panel.locator('pre:visible').textContent(),
  )
  await page.getByLabel('Size, in lots').fill('0.02')
  await panel.getByText(bridges.copied).waitFor({ state: 'detached' })
  expect(requests).toEqual([])
  expect(complaints).toEqual([])
})

test('the switch "Stop and target" writes settings, message and check-list together, with and without JavaScript', async () => {
  const { exits, sendExits } = personalPage.bridges
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await openPersonalPage(journey, { javaScriptEnabled })
    await page.getByRole('radio', { name: 'PineConnector' }).check()
    const panel = page.locator('.bridge-panel:visible')
    const seen = async () => ({
      setting: await panel.locator('dd:visible strong').allTextContents(),
      message: await panel.locator('pre:visible').allTextContents(),
      check: await panel.locator('li:visible').first().textContent(),
    })
    const format = 'Command (PineConnector)'
    const off = await seen()
    expect(off.setting).toEqual([format, personalPage.bridges.directions.longOnly, exits.off])
    expect(off.message).toEqual([
      'YOUR-LICENSE-ID,{{strategy.order.alert_message}},{{ticker}},vol_lots=YOUR-LOTS',
    ])
    expect(off.check).toContain(`${sendExits} is off.`)
    await page.getByRole('group', { name: exits.legend }).getByLabel(exits.on).check()
    const on = await seen()
    expect(on.setting).toEqual([format, personalPage.bridges.directions.longOnly, exits.on])
    expect(on.message).toEqual([
      'YOUR-LICENSE-ID,{{strategy.order.alert_message}},vol_lots=YOUR-LOTS',
    ])
    expect(on.check).toContain(`${sendExits} is on.`)
    await page.getByRole('radio', { name: 'Alertatron' }).check()
    expect(await page.getByRole('group', { name: exits.legend }).isVisible()).toBe(false)
    expect((await seen()).setting).toContain(exits.off)
  }
})
