import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { personalPage } from '#content/pages/personal-page.ts'
import { fill } from '#site/text/fill.ts'
import { setupGuide } from '#content/setup-guide.ts'
import { complaintsOf, startJourney } from './journey.ts'

const journey = startJourney()
const script = readFileSync(join(import.meta.dirname, '../../dist/kit/ema-crossover.pine'), 'utf8')
const clipboard = ['clipboard-read', 'clipboard-write']

/** The page behind the link of a new mail, once its script has started. */
async function openPersonalPage(
  options: BrowserContextOptions = {},
  prepare?: (page: Page) => Promise<unknown>,
) {
  const { address, kit } = await journey.signUpByPost()
  const page = await journey.open(options)
  await prepare?.(page)
  await page.goto(kit)
  if (options.javaScriptEnabled !== false) await page.locator('#app[data-hydrated]').waitFor()
  return { page, address }
}

function selection(page: Page): Promise<string> {
  return page.evaluate(() => String(getSelection()))
}

test('Copy script copies the file byte for byte, says so, and keeps the focus', async () => {
  const { page } = await openPersonalPage({ permissions: clipboard })
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
  const { page } = await openPersonalPage({ permissions: clipboard })
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
    const { page } = await openPersonalPage({ javaScriptEnabled })
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

test('a browser that refuses to copy gets all lines selected', async () => {
  const { page } = await openPersonalPage({}, (opened) =>
    opened.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    }),
  )
  await page.getByRole('button', { name: personalPage.script.copy }).click()
  await page.getByRole('status').getByText(personalPage.script.refused).waitFor()
  expect(`${await selection(page)}\n`).toBe(script)
})

test('without JavaScript one press selects the script, all lines can be shown, a bridge chosen, and a step opened', async () => {
  const { page } = await openPersonalPage({ javaScriptEnabled: false })
  expect(await page.getByRole('button', { name: personalPage.script.copy }).isVisible()).toBe(false)
  await page.locator('.line').first().click()
  expect(`${await selection(page)}\n`).toBe(script)
  const window = page.locator('.listing-window')
  const height = async () => (await window.boundingBox())?.height ?? 0
  const closed = await height()
  await page.getByLabel(new RegExp(fill(personalPage.script.showAll, { lines: '\\d+' }))).check()
  expect(await height()).toBeGreaterThan(3 * closed)
  await page.getByRole('radio', { name: 'Alertatron' }).check()
  const panel = page.locator('.bridge-panel:visible')
  expect(await panel.locator('pre').allTextContents()).toEqual([
    'YOUR-KEYS({{ticker}}) { market(position={{strategy.position_size}}); } #bot',
  ])
  expect(await panel.getByRole('button').count()).toBe(0)
  await panel.getByRole('checkbox').first().check()
  const [, step] = setupGuide.steps
  await page.getByRole('heading', { name: step?.title ?? '' }).click()
  await page.getByText(step?.intro ?? '').waitFor()
})

test('a link to a step opens it', async () => {
  const { page } = await openPersonalPage({ javaScriptEnabled: false })
  const [, second] = setupGuide.steps
  await page.goto(`${page.url()}#${second?.id}`)
  await page.getByText(second?.intro ?? '').waitFor()
})

test('a phone offers to send the link: to the share sheet, or in a mail, without the address in a URL', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page } = await openPersonalPage(phone, (opened) =>
    opened.addInitScript(() => {
      const shared: unknown[] = []
      Object.assign(globalThis, { shared })
      Object.assign(navigator, { share: (data: unknown) => Promise.resolve(shared.push(data)) })
    }),
  )
  const link = page.getByRole('link', { name: personalPage.script.send })
  const url = page.url()
  expect(await link.getAttribute('href')).toMatch(
    new RegExp(`^mailto:\\?subject=.*&body=${url}%23script$`),
  )
  await link.click()
  expect(await page.evaluate('shared')).toEqual([
    { title: personalPage.script.sendSubject, url: `${url}#script` },
  ])
})
