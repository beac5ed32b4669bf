import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { resultPages } from '#content/pages/result-pages.ts'
import { receiptsPath } from '#contract/sign-up.ts'
import {
  bottomForm,
  complaintsOf,
  finishAnimations,
  heroForm,
  hydrate,
  type Journey,
  legendTerm,
  newAddress,
  signUp,
  violations,
} from './journey.ts'

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

async function openKit(page: Page, journey: Journey, end = ''): Promise<void> {
  const { kit: url } = await journey.signUpByPost()
  await page.goto(url + end)
}

/** The states of a page that one visit sees, in their order, and how it comes to each. */
type Visit = Record<string, (page: Page, journey: Journey) => Promise<unknown>>

/** Those of `npm test`. */
export const mainVisits: Visit[] = [
  { landing: (page) => page.goto('/') },
  {
    'success toast and note': async (page) => {
      await page.goto('/')
      await hydrate(page)
      await page.route(`**${receiptsPath}*`, () => {}) // the note stays as it is
      await signUp(heroForm(page), newAddress())
      await page.getByText('Success! Check your email').waitFor()
      await heroForm(page).form.getByText('On its way').waitFor()
    },
  },
  {
    'error toast': async (page) => {
      await page.goto('/')
      await hydrate(page)
      await page.route(`**${functionPath}`, (route) => route.fulfill({ status: 500, json: {} }))
      await signUp(heroForm(page), newAddress())
      await page.getByText('Oops! Something went wrong.').waitFor()
    },
  },
  {
    'personal page, every step open': async (page, journey) => {
      await openKit(page, journey)
      await page
        .locator('details')
        .evaluateAll((parts: HTMLDetailsElement[]) => parts.forEach((part) => (part.open = true)))
    },
  },
  { 'not found': (page) => page.goto('/nowhere') },
]

export const otherVisits: Visit[] = [
  {
    tooltip: async (page) => {
      await page.goto('/')
      await hydrate(page)
      await page.getByRole('button', { name: legendTerm('fast').term }).focus()
      await page.getByText(legendTerm('fast').tip).waitFor()
    },
  },
  {
    invalid: async (page) => {
      await page.goto('/')
      await hydrate(page)
      await signUp(heroForm(page), 'nobody')
      await signUp(bottomForm(page), '')
      await heroForm(page).form.getByText('Please enter a valid email address').waitFor()
    },
    'question about a slip': async (page) => {
      await signUp(heroForm(page), 'ana@gmial.com')
      await page.getByRole('button', { name: 'Yes, use it' }).waitFor()
    },
    processing: async (page) => {
      await page.route(`**${functionPath}`, () => {})
      await signUp(heroForm(page), newAddress())
      await page.getByText('Processing...').waitFor()
    },
  },
  { 'result: sent': (page) => postPlainForm(page, newAddress()) },
  { 'result: invalid': (page) => postPlainForm(page, 'nobody') },
  { announcements: (page, journey) => openKit(page, journey, '/announcements') },
  {
    unsubscribe: (page, journey) => openKit(page, journey, '/unsubscribe'),
    unsubscribed: async (page) => {
      await page.getByRole('button', { name: resultPages.unsubscribe.button }).click()
      await page.getByRole('heading', { name: resultPages.unsubscribed.heading }).waitFor()
    },
  },
  {
    block: (page, journey) => openKit(page, journey, '/block'),
    blocked: async (page) => {
      await page.getByRole('button', { name: resultPages.block.button }).click()
      await page.getByRole('heading', { name: resultPages.blocked.heading }).waitFor()
    },
  },
  {
    erased: async (page, journey) => {
      await openKit(page, journey)
      await page.locator('details.erase summary').click()
      await page.locator('form[action$="/erase"] button').click()
      await page.waitForURL('**/erase')
    },
  },
]

/** With the names of their states, for a title. */
export const named = (visits: Visit[]) =>
  visits.map((visit) => [Object.keys(visit).join(', '), visit] as const)

/** Looks at each state: light and wide, then dark and narrow. */
export async function expectAccessible(journey: Journey, visit: Visit): Promise<void> {
  const page = await journey.openAgain('visitor', { viewport: { width: 1440, height: 900 } })
  const complaints = complaintsOf(page)
  for (const [state, reach] of Object.entries(visit)) {
    await reach(page, journey)
    await expectNoViolation(page, state)
  }
  expect(
    complaints.filter((complaint) =>
      /Content Security Policy|Trusted(HTML|Script)|Minified React/.test(complaint),
    ),
  ).toEqual([])
}

async function expectNoViolation(page: Page, state: string): Promise<void> {
  const looks = [
    ['light', 1440],
    ['dark', 320],
  ] as const
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await finishAnimations(page)
    const look = `${state}: ${colorScheme}, ${width} px`
    expect(await violations(page), look).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth), look).toBe(width)
  }
}
