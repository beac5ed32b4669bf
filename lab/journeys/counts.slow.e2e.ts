import type { Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { heroForm, newAddress, signUp, startJourney } from './journey.ts'

const withoutScript = { javaScriptEnabled: false }
const journey = startJourney({}) // stopped for its counts

test("people's presses and machines' fetches are counted apart", async () => {
  const { kit, html } = await mailFor(newAddress())
  const page = await journey.open()
  for (const name of ['ema-crossover.pine', 'setup-guide.pdf']) {
    await downloadFrom(page, html, `${kit}/${name}`)
  }
  await page.setContent(html)
  await page.locator(`a[href="${kit}"]`).click()
  await page.waitForURL(kit)
  await downloadBy(page, 'a[download][href$=".pine"]')
  for (const path of ['', '/ema-crossover.pine', '/setup-guide.pdf', '/setup-guide.pdf']) {
    // To its end: an answer that the stop breaks off was no download.
    await (await fetch(kit + path)).arrayBuffer()
  }

  expect(await countsAtStop()).toMatchObject({
    'page-opened person': 1,
    'page-opened machine': 1,
    'script-downloaded person': 2,
    'script-downloaded machine': 1,
    'guide-downloaded person': 1,
    'guide-downloaded machine': 2,
  })
})

async function mailFor(address: string) {
  const page = await journey.visit('/', withoutScript)
  await signUp(heroForm(page), address)
  const [received] = await journey.inbox.arrival(1, address)
  const { html = '' } = await PostalMime.parse(received?.raw ?? '')
  return { html, kit: /href="([^"]+\/kit\/[\w-]{22})"/.exec(html)?.[1] ?? '' }
}

async function downloadFrom(page: Page, html: string, link: string): Promise<void> {
  await page.setContent(html)
  await downloadBy(page, `a[href="${link}"]`)
}

async function downloadBy(page: Page, link: string): Promise<void> {
  const download = page.waitForEvent('download')
  await page.locator(link).first().click()
  await (await download).path()
}

/**
 * Counts by event and detail, of today and of the day before: it may be midnight. They are written
 * every 10 s, and when the server stops.
 */
async function countsAtStop(): Promise<Record<string, number>> {
  const { product } = journey
  const database = await openDatabase(`file:${product.databaseFile}`)
  try {
    await product.terminate()
    const counts: Record<string, number> = {}
    for (const { event, detail, count } of await readDailyCounts(database, '')) {
      const name = `${event} ${detail}`.trim()
      counts[name] = (counts[name] ?? 0) + count
    }
    return counts
  } finally {
    await database.close()
  }
}
