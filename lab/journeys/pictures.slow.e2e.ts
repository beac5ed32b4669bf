import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { canBringBrowser, launchBroughtBrowser } from '../rigs/browser.ts'
import { artefact, bottomForm, heroForm, hydrate, signUp, startJourney } from './journey.ts'
import { shareOfDifferentPixels } from './picture-difference.ts'

// The main screens look as in the kept pictures. After an intended change:
//   UPDATE_PICTURES=yes npx vitest run --project e2e-slow lab/journeys/pictures
// and review the pictures in git. It also takes the picture at the top of the README.
const journey = startJourney({}, launchBroughtBrowser)
const folder = join(import.meta.dirname, 'pictures')
const update = process.env['UPDATE_PICTURES'] === 'yes'
const allowedShare = 0.005

interface Screen {
  name: string
  width: number
  scheme: 'light' | 'dark'
  show: (page: Page) => Promise<unknown>
}

const screens: Screen[] = [
  { name: 'landing', width: 1440, scheme: 'light', show: (page) => hydrated(page, '/') },
  { name: 'landing', width: 1440, scheme: 'dark', show: (page) => hydrated(page, '/') },
  { name: 'landing', width: 768, scheme: 'light', show: (page) => hydrated(page, '/') },
  { name: 'landing', width: 390, scheme: 'light', show: (page) => hydrated(page, '/') },
  { name: 'landing', width: 390, scheme: 'dark', show: (page) => hydrated(page, '/') },
  { name: 'signed-up', width: 1440, scheme: 'light', show: signedUp },
  { name: 'signed-up', width: 390, scheme: 'dark', show: signedUp },
  { name: 'refused', width: 1440, scheme: 'dark', show: refused },
  { name: 'refused', width: 390, scheme: 'light', show: refused },
  { name: 'not-found', width: 1440, scheme: 'light', show: (page) => hydrated(page, '/nowhere') },
  { name: 'not-found', width: 390, scheme: 'dark', show: (page) => hydrated(page, '/nowhere') },
  { name: 'mail', width: 640, scheme: 'light', show: mail },
  { name: 'mail', width: 390, scheme: 'dark', show: mail },
]

describe.skipIf(!canBringBrowser)('compared in the browser that npm brings (Linux x64)', () => {
  test.each(screens)(
    '$name at $width px, $scheme, looks as before',
    async ({ name, width, scheme, show }) => {
      const options = { reducedMotion: 'reduce', timezoneId: 'UTC' } as const
      const movesClock = name === 'signed-up' // which all pages of a context share
      const page = movesClock
        ? await journey.open(options)
        : await journey.openAgain('in UTC', options)
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 900 })
      await show(page)
      await page.evaluate(loadPictures)
      const seen = await page.screenshot({ fullPage: !['signed-up', 'refused'].includes(name) })
      const file = `${name}-${width}-${scheme}.png`
      const kept = join(folder, file)
      if (update) writeFileSync(kept, seen)
      if (update && file === 'landing-1440-light.png') {
        await page.screenshot({ path: join(import.meta.dirname, '../../docs/landing-page.png') })
      }
      expect(existsSync(kept), `${file} is kept in lab/journeys/pictures`).toBe(true)
      const before = readFileSync(kept)
      if (before.equals(seen)) return
      const share = await shareOfDifferentPixels(await journey.openAgain('visitor'), before, seen)
      if (share > allowedShare) writeFileSync(artefact(file), seen)
      expect(share, `share of pixels that differ; see test-artefacts/${file}`).toBeLessThanOrEqual(
        allowedShare,
      )
    },
  )
})

/** In the page: also those that a visitor has not scrolled to. */
function loadPictures(): Promise<unknown> {
  const all = [...document.images]
  for (const image of all) image.loading = 'eager'
  return Promise.all(all.map((image) => image.decode()))
}

async function mail(page: Page) {
  const address = 'ana@example.com'
  const other = await journey.visit('/')
  await signUp(heroForm(other), address)
  const [received] = await journey.inbox.arrival(1, address)
  const { html } = await PostalMime.parse(received?.raw ?? '')
  await page.setContent(html ?? '')
}

async function hydrated(page: Page, path: string) {
  await page.goto(path)
  await hydrate(page)
  await page.locator('html.besley').waitFor({ state: 'attached' }) // the font is there
}

/** With the mail handed over. */
async function signedUp(page: Page) {
  const times = { resentAt: null, nextResendAt: '1970-01-01T00:15:00Z', receipt: 'r' }
  await page.route('**/functions/v1/*', (route) =>
    route.fulfill({ json: { success: true, alreadyExists: false, ...times } }),
  )
  await page.route('**/receipts/r', (route) =>
    route.fulfill({ json: { state: 'handed-over', handedOverAt: '1970-01-01T00:00:01Z' } }),
  )
  await hydrated(page, '/')
  await page.clock.install({ time: 0 }) // the note counts down, and the toast closes
  await page.clock.pauseAt(30_000)
  await signUp(heroForm(page), 'ana@gmail.com')
  await page.locator('section.toasts').getByText('Success!').waitFor()
  await page.clock.runFor(1000)
  await heroForm(page).form.locator('.note time').waitFor()
}

async function refused(page: Page) {
  await page.route('**/functions/v1/*', (route) => route.abort())
  await hydrated(page, '/')
  await signUp(bottomForm(page), 'ana@example.com')
  await page.getByText('Network error occurred.').waitFor()
  await page.evaluate(() => scrollTo(0, 0))
  await signUp(heroForm(page), 'nobody')
  await heroForm(page).form.getByText('Please enter a valid email address').waitFor()
}
