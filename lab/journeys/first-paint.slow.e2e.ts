import { describe, expect, test } from 'vitest'
import { canBringBrowser } from '../rigs/browser.ts'
import { hydrate, startJourney } from './journey.ts'

const journey = startJourney()
const phone = { viewport: { width: 412, height: 823 } }

// A server sends ten packets of 1,460 bytes before it waits for an answer (RFC 6928).
test('the page comes in the first ten packets with its headers, and its JavaScript takes 68,000 bytes', async () => {
  const { url } = journey.product
  const fetched = async (path: string) => {
    const { headers } = await fetch(url + path, { headers: { 'accept-encoding': 'br' } })
    const lines = Array.from(headers, ([name, value]) => `${name}: ${value}\r\n`)
    return {
      body: Number(headers.get('content-length')),
      head: `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`.length,
    }
  }
  const pageBytes = async () => {
    const { body, head } = await fetched('/')
    return body + head
  }
  // Soon after the start the page is compressed as small as it gets. The rest of the ten packets is
  // room for an owner's words.
  await expect.poll(pageBytes).toBeLessThanOrEqual(12_613)
  const html = await (await fetch(url)).text()
  const [, modules = ''] = /data-modules="([^"]*)"/.exec(html) ?? []
  const scripts = await Promise.all(modules.split(' ').map(fetched))
  expect(scripts).toHaveLength(2)
  expect(scripts.reduce((sum, { body }) => sum + body, 0)).toBeLessThanOrEqual(68_000)
  const entry = await (await fetch(url + modules.split(' ')[0])).text()
  const [lengths = ''] = /try-lengths-[\w-]+\.js/.exec(entry) ?? []
  expect((await fetched(`/assets/${lengths}`)).body).toBeLessThanOrEqual(8000)
})

// A picture that waits for its turn is asked for with the first frame, which shows without it.
test.each(['/', '/nowhere'])('%s fetches nothing that its first paint waits for', async (path) => {
  const page = await journey.open(phone)
  await page.goto(path)
  const paints = () =>
    page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
  await expect.poll(paints).toBe(1) // a gesture before that would fetch the scripts
  await hydrate(page)
  await page.locator('html.besley').waitFor()
  const { painted, fetched } = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-paint')[0]?.startTime ?? Infinity,
    fetched: performance
      .getEntriesByType('resource')
      .filter((entry) => (entry as PerformanceResourceTiming).initiatorType !== 'img')
      .map(({ name, startTime }) => ({ name, startTime })),
  }))
  expect(await page.locator('img:not([loading=lazy])').count()).toBe(0)
  expect(fetched.map(({ name }) => name).join('\n')).toMatch(/besley-/)
  for (const { name, startTime } of fetched) expect(startTime, name).toBeGreaterThanOrEqual(painted)
})

describe.skipIf(!canBringBrowser)('with the stand-in font of the browser that npm brings', () => {
  test.each([320, 390, 412, 768, 1280, 1440])(
    'at %i px nothing moves when the font comes',
    async (width) => {
      const page = await journey.open({ viewport: { width, height: 900 } })
      await page.goto('/')
      await page.locator('html.besley').waitFor()
      await page.locator('form[novalidate]').first().waitFor()
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
                sum += entry.value
              }
            }).observe({ type: 'layout-shift', buffered: true })
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))))
          }),
      )
      expect(shift).toBeLessThan(0.01)
    },
  )
})

test('a hydrated page is laid out to its end', async () => {
  const page = await journey.visit('/', phone)
  const contentVisibility = await page
    .locator('.later')
    .evaluateAll((sections) =>
      sections.map((section) => getComputedStyle(section).contentVisibility),
    )
  expect(contentVisibility).toEqual(['visible', 'visible', 'visible', 'visible'])
})

test('without JavaScript the page is laid out to its end, in its own font', async () => {
  const page = await journey.open({ ...phone, javaScriptEnabled: false })
  const [font] = await Promise.all([page.waitForResponse(/besley-/), page.goto('/')])
  expect(font.ok()).toBe(true)
  const { height = 0 } = (await page.locator('.closing').boundingBox()) ?? {}
  expect(height).toBeGreaterThan(300)
})
