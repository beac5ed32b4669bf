import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { kit } from '#content/kit.ts'
import { resultPages } from '#content/pages/result-pages.ts'
import {
  bottomForm,
  complaintsOf,
  finishAnimations,
  heroForm,
  legendTerm,
  hydrate,
  newAddress,
  signUp,
  startJourney,
  violations,
} from './journey.ts'

const journey = startJourney()
const functionPath = '/functions/v1/send-starter-bot-email'

async function postPlainForm(page: Page, email: string): Promise<void> {
  await page.goto('/')
  await hydrate(page)
  await page
    .locator('form')
    .first()
    .evaluate((form: HTMLFormElement, value) => {
      form.querySelector('input')?.setAttribute('type', 'text')
      const field = form.querySelector('input')
      if (field) field.value = value
      form.submit() // past the script
    }, email)
  await page.waitForURL(`**${functionPath}`)
}

async function openKit(page: Page, end = ''): Promise<void> {
  const { kit: url } = await journey.signUpByPost()
  await page.goto(url + end)
}

const states: Record<string, (page: Page) => Promise<unknown>> = {
  landing: (page) => page.goto('/'),
  invalid: async (page) => {
    await page.goto('/')
    await hydrate(page)
    await signUp(heroForm(page), 'nobody')
    await signUp(bottomForm(page), '')
    await heroForm(page).form.getByText('Please enter a valid email address').waitFor()
  },
  processing: async (page) => {
    await page.route(`**${functionPath}`, () => {})
    await page.goto('/')
    await hydrate(page)
    await signUp(heroForm(page), newAddress())
    await page.getByText('Processing...').waitFor()
  },
  'success toast and note': async (page) => {
    await page.goto('/')
    await hydrate(page)
    await page.clock.setFixedTime(Date.now()) // the note stays as it is
    await signUp(heroForm(page), newAddress())
    await page.getByText('Success! Check your email').waitFor()
    await heroForm(page).form.getByText('On its way').waitFor()
  },
  'question about a slip': async (page) => {
    await page.goto('/')
    await hydrate(page)
    await signUp(heroForm(page), 'ana@gmial.com')
    await page.getByRole('button', { name: 'Yes, use it' }).waitFor()
  },
  'error toast': async (page) => {
    await page.goto('/')
    await hydrate(page)
    await page.route(`**${functionPath}`, (route) => route.fulfill({ status: 500, json: {} }))
    await signUp(heroForm(page), newAddress())
    await page.getByText('Oops! Something went wrong.').waitFor()
  },
  tooltip: async (page) => {
    await page.goto('/')
    await hydrate(page)
    if (kit.script.isYourOwn) return // its chart has no terms to explain
    await page.getByRole('button', { name: legendTerm('fast').term }).focus()
    await page.getByText(legendTerm('fast').tip).waitFor()
  },
  'not found': (page) => page.goto('/nowhere'),
  'result: sent': (page) => postPlainForm(page, newAddress()),
  'result: invalid': (page) => postPlainForm(page, 'nobody'),
  'personal page, every step open': async (page) => {
    await openKit(page)
    await page
      .locator('details')
      .evaluateAll((parts: HTMLDetailsElement[]) => parts.forEach((part) => (part.open = true)))
  },
  announcements: (page) => openKit(page, '/announcements'),
  unsubscribe: (page) => openKit(page, '/unsubscribe'),
  unsubscribed: async (page) => {
    await openKit(page, '/unsubscribe')
    await page.getByRole('button', { name: resultPages.unsubscribe.button }).click()
    await page.getByRole('heading', { name: resultPages.unsubscribed.heading }).waitFor()
  },
  block: (page) => openKit(page, '/block'),
  blocked: async (page) => {
    await openKit(page, '/block')
    await page.getByRole('button', { name: resultPages.block.button }).click()
    await page.getByRole('heading', { name: resultPages.blocked.heading }).waitFor()
  },
  erased: async (page) => {
    await openKit(page)
    await page.locator('details.erase summary').click()
    await page.locator('form[action$="/erase"] button').click()
    await page.waitForURL('**/erase')
  },
}

test.each(Object.keys(states))(
  'axe finds no violation: %s, light and wide, dark and narrow',
  async (name) => {
    const page = await journey.open({ viewport: { width: 1440, height: 900 } })
    const complaints = complaintsOf(page)
    await states[name]?.(page)
    const views = [
      ['light', 1440],
      ['dark', 320],
    ] as const
    for (const [colorScheme, width] of views) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await finishAnimations(page)
      expect(await violations(page), `${colorScheme}, ${width} px`).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBe(
        width,
      )
    }
    expect(
      complaints.filter((complaint) =>
        /Content Security Policy|Trusted(HTML|Script)|Minified React/.test(complaint),
      ),
    ).toEqual([])
  },
)

test('a phone that shows the page at twice its size has no button wider than its screen', async () => {
  const page = await journey.visit('/', { viewport: { width: 195, height: 422 } })
  const ends = await page
    .locator('.button, .badge, .signature')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
  expect(Math.max(...ends)).toBeLessThanOrEqual(195)
})

test('no width from 320 to 1920 px scrolls sideways', async () => {
  for (const path of ['/', '/nowhere']) {
    const page = await journey.visit(path)
    for (let width = 320; width <= 1920; width += 80) {
      await page.setViewportSize({ width, height: 900 })
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth),
        `${path} at ${width} px`,
      ).toBe(width)
    }
  }
})
