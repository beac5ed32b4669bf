import type { Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { bottomForm, heroForm, type Journey, newAddress, signUp, startJourney } from './journey.ts'

const success = 'Success! Check your email for the download link.'
const withoutScript = { javaScriptEnabled: false }
// Each test has its own server, because both count the same events.

describe('sign-ups', () => {
  const journey = startJourney()
  test('sign-ups are counted by form and by the source in the address, with JavaScript and without', async () => {
    const page = await journey.visit('/?utm_source=Newsletter&utm_medium=mail')
    await signUp(heroForm(page), newAddress())
    await page.getByText(success).waitFor()
    await signUpAsSuggested(await journey.visit('/?utm_source=ada@example.com'))

    const plain = await journey.visit('/?utm_source=partner', withoutScript)
    await signUp(bottomForm(plain), newAddress())
    await plain.getByRole('heading', { name: success }).waitFor()
    const corrected = await journey.visit('/?utm_source=forum', withoutScript)
    await signUp(bottomForm(corrected), 'ana@example')
    await corrected.getByText('Please enter a valid email address').waitFor()
    await signUp(heroForm(corrected), newAddress())
    await corrected.getByRole('heading', { name: success }).waitFor()

    await journey.inbox.arrival(4)
    expect(await countsAtStop(journey)).toEqual({
      'signed-up hero': 2,
      'signed-up closing': 2,
      'came-from newsletter': 1,
      'came-from other': 1,
      'came-from partner': 1,
      'came-from forum': 1,
      'landing-viewed person': 4,
      'viewed-from newsletter': 1,
      'viewed-from other': 1,
      'viewed-from partner': 1,
      'viewed-from forum': 1,
      'suggestion-accepted': 1,
      delivered: 4,
    })
  })
})

describe('visits', () => {
  const journey = startJourney()
  test("people's presses and machines' fetches are counted apart", async () => {
    const { kit, html } = await mailFor(journey, newAddress())
    const page = await journey.open()
    for (const name of ['ema-crossover.pine', 'setup-guide.pdf'])
      await downloadFrom(page, html, `${kit}/${name}`)
    await page.setContent(html)
    await page.locator(`a[href="${kit}"]`).click()
    await page.waitForURL(kit)
    await downloadBy(page, 'a[download][href$=".pine"]')
    for (const path of ['', '/ema-crossover.pine', '/setup-guide.pdf', '/setup-guide.pdf'])
      await fetch(kit + path)

    expect(await countsAtStop(journey)).toMatchObject({
      'page-opened person': 1,
      'page-opened machine': 1,
      'script-downloaded person': 2,
      'script-downloaded machine': 1,
      'guide-downloaded person': 1,
      'guide-downloaded machine': 2,
    })
  })
})

async function signUpAsSuggested(page: Page): Promise<void> {
  await signUp(heroForm(page), 'visitor-of-video@gmial.com')
  await page.getByRole('button', { name: 'Use visitor-of-video@gmail.com' }).click()
  await page.getByText(success).waitFor()
}

async function mailFor(journey: Journey, address: string) {
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

/** Counts by event and detail. They are written every 10 s, and when the server stops. */
async function countsAtStop({ product }: Journey): Promise<Record<string, number>> {
  const database = await openDatabase(`file:${product.databaseFile}`)
  try {
    await product.terminate()
    const counts = await readDailyCounts(database, '')
    return Object.fromEntries(counts.map(({ event, detail, count }) => [`${event} ${detail}`.trim(), count]))
  } finally {
    await database.close()
  }
}
