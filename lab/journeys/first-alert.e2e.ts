import { expect, test } from 'vitest'
import { firstAlert } from '#content/pages/first-alert.ts'
import { fireAlert } from '#rigs/http/tradingview.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { openSite } from '#server/settings/site-settings.ts'
import { complaintsOf, startJourney, violations } from './journey.ts'

const publicUrl = 'https://bot.example'
const journey = startJourney({ PUBLIC_URL: publicUrl, TRUST_PROXY: '1' })

const entry = '{"ticker": "BTCUSD", "action": "buy", "sentiment": "long", "signalPrice": 107.09}'
const exit = '{"ticker": "BTCUSD", "action": "sell", "sentiment": "flat", "signalPrice": 109.05}'

test('from a pasted message to "an entry and an exit seen" at a test address, by keyboard', async () => {
  await openThePage()
  const kit = new URL((await signUpOnceOpen()).kit).pathname
  const page = await journey.visit(kit, { viewport: { width: 390, height: 844 } })
  const complaints = complaintsOf(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))

  const verdict = page.locator('#alert-verdict[role=status]')
  await page.locator('textarea[name=alert]').fill(entry.replace('"long",', '"long"'))
  await verdict.getByText('a comma is missing').waitFor()
  await page.locator('textarea[name=alert]').fill(entry)
  await verdict.getByText('Buys BTCUSD at the market, size as set at TradersPost.').waitFor()
  await page.keyboard.insertText(`${entry}\n`.repeat(50)) // as a paste
  await verdict.getByText('longer than 4,096 characters').waitFor()
  await page.locator('textarea[name=alert]').fill(entry)
  await page.getByRole('radio', { name: 'PineConnector' }).check()
  await verdict.getByText('On this page you chose PineConnector').waitFor()
  await page.getByRole('radio', { name: 'TradersPost' }).check()
  expect(asked).toEqual([])

  await page.getByRole('button', { name: firstAlert.test.get }).focus()
  await page.keyboard.press('Enter')
  const address = page.locator('#test-address-url')
  await address.filter({ hasText: `${publicUrl}/alerts/` }).waitFor()
  const receiver = journey.product.url + new URL((await address.textContent()) ?? '').pathname
  const section = page.getByRole('region', { name: firstAlert.heading })
  expect((await fireAlert(receiver, entry)).statuses).toEqual([200])
  await section.getByText('Buys BTCUSD at the market').nth(1).waitFor()
  await fireAlert(receiver, exit)
  await section.getByText(firstAlert.test.done).waitFor()
  await page.getByRole('radio', { name: 'PineConnector' }).check()
  await section.getByText(firstAlert.test.done).waitFor({ state: 'hidden' })
  await page.getByRole('radio', { name: 'TradersPost' }).check()
  await section.getByText(firstAlert.test.done).waitFor()
  expect(await page.locator('#arrivals').textContent()).toContain(
    `application/json; charset=utf-8 · ${firstAlert.test.fromTradingView}`,
  )
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: firstAlert.test.stop }).click()
  await page.getByRole('button', { name: firstAlert.test.get }).waitFor()
  expect(complaints).toEqual([])
})

test('without JavaScript the form opens an address, and the page lists what has arrived', async () => {
  await openThePage()
  const kit = new URL((await signUpOnceOpen()).kit).pathname
  const page = await journey.visit(kit, { javaScriptEnabled: false })
  await page.getByRole('button', { name: firstAlert.test.get }).click()
  const address = (await page.locator('#test-address-url').textContent()) ?? ''
  await fireAlert(journey.product.url + new URL(address).pathname, 'hello')
  await page.goto(kit)
  const arrivals = page.locator('#arrivals')
  expect(await arrivals.textContent()).toContain('text/plain')
  expect(await arrivals.textContent()).toContain('none of the messages')
  await page.getByRole('button', { name: firstAlert.test.stop }).click()
  expect(await page.getByRole('button', { name: firstAlert.test.get }).isVisible()).toBe(true)
})

/** A page with a public address is held back until its owner opens it. */
async function openThePage(): Promise<void> {
  const database = await openDatabase(`file:${journey.product.databaseFile}`)
  await database.transaction((transaction) => openSite(transaction, Date.now()))
  await database.close()
}

/** The server reads its settings every two seconds. */
async function signUpOnceOpen() {
  for (;;) {
    try {
      return await journey.signUpByPost()
    } catch (fault) {
      if (!(fault instanceof Error) || !fault.message.includes('503')) throw fault
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
