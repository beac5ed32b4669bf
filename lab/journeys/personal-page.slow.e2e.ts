import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { personalPage } from '#content/pages/personal-page.ts'
import { fill } from '#site/text/fill.ts'
import { setupGuide } from '#content/setup-guide.ts'
import { openPersonalPage, startJourney } from './journey.ts'

const journey = startJourney()
const script = readFileSync(
  join(import.meta.dirname, '../../dist/site/kit/ema-crossover.pine'),
  'utf8',
)

function selection(page: Page): Promise<string> {
  return page.evaluate(() => String(getSelection()))
}

test('a browser that refuses to copy gets all lines selected', async () => {
  const { page } = await openPersonalPage(journey, {}, (opened) =>
    opened.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    }),
  )
  await page.getByRole('button', { name: personalPage.script.copy }).click()
  await page.getByRole('status').getByText(personalPage.script.refused).waitFor()
  expect(`${await selection(page)}\n`).toBe(script)
})

test('without JavaScript one press selects the script, all lines can be shown, a bridge chosen, and a step opened', async () => {
  const { page } = await openPersonalPage(journey, { javaScriptEnabled: false })
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
  const { page } = await openPersonalPage(journey, { javaScriptEnabled: false })
  const [, second] = setupGuide.steps
  await page.goto(`${page.url()}#${second?.id}`)
  await page.getByText(second?.intro ?? '').waitFor()
})

test('a phone offers to send the link: to the share sheet, or in a mail, without the address in a URL', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page } = await openPersonalPage(journey, phone, (opened) =>
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
