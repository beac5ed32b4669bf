import type { Page, Request } from 'playwright-core'
import PostalMime from 'postal-mime'
import { expect } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import {
  deskLink,
  finishAnimations,
  type Journey,
  openDesk,
  owner,
  type VisitOptions,
  violations,
} from '../journey.ts'

/** What the owner does at the desk of a journey. */
export function deskOf(journey: Journey) {
  return {
    deskLink: () => deskLink(journey),
    openDesk: (path?: string, options?: VisitOptions) => openDesk(journey, path, options),
    signIn: (page: Page) => signIn(page, journey),
    newCode: (ask: () => Promise<void>) => newCode(journey, ask),
    signUp: (email: string) => signUp(journey, email),
    openLetter: () => openLetter(journey),
  }
}

/** By a link, at its page. */
async function signIn(page: Page, journey: Journey): Promise<void> {
  await page.goto(await deskLink(journey))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
}

/** The code that is mailed to the owner by `ask`. */
async function newCode(journey: Journey, ask: () => Promise<void>): Promise<string> {
  const before = (await mailedCodes(journey)).length
  await ask()
  await expect.poll(async () => (await mailedCodes(journey)).length).toBeGreaterThan(before)
  return (await mailedCodes(journey)).at(-1)!
}

async function mailedCodes({ inbox }: Journey): Promise<string[]> {
  const mails = inbox.mails.filter(({ to }) => to.includes(owner))
  const read = await Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)))
  return read.flatMap(({ text = '' }) => /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? [])
}

async function signUp({ product }: Journey, email: string): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: product.url }
  const body = new URLSearchParams({ email })
  const answer = await fetch(product.url + signUpPath, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

async function openLetter(journey: Journey): Promise<Page> {
  const page = await openDesk(journey, 'letters')
  await page.getByRole('button', { name: 'New letter', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text' }).waitFor()
  return page
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.locator('input[autocomplete=one-time-code]').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

interface Calls {
  /** The names of the procedures that the page called, in order. */
  names: string[]
  /** Resolves when all calls are answered, and their answers led to no further ones. */
  settled(): Promise<void>
}

/** From now on. */
export function watchCalls(page: Page): Calls {
  const names: string[] = []
  const open = new Set<Request>()
  page.on('request', (request) => {
    const [, name] = /\/desk\/api\/([\w.-]+)/.exec(request.url()) ?? []
    if (name === undefined) return
    names.push(name)
    open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  async function settled() {
    let known = -1
    while (known !== names.length) {
      known = names.length
      await expect.poll(() => open.size).toBe(0)
      await askOnce(page)
    }
  }
  return { names, settled }
}

/** Requests of a page are told in order: with this one, those that it had begun before. */
async function askOnce(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestIdleCallback(resolve))
    await fetch('/healthz')
  })
}

interface Look {
  width: number
  colorScheme: 'light' | 'dark'
}

const bothLooks: Look[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
]

export async function check(page: Page, looks: Look[] = bothLooks): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await finishAnimations(page)
    const look = `${new URL(page.url()).pathname} at ${width} px`
    expect(await violations(page), look).toEqual([])
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrollWidth, look).toBe(width)
  }
}

export async function shownHeading(page: Page): Promise<void> {
  await page.locator('main h1:not([aria-busy=true])').waitFor()
}

/** As if the owner left the tab, or came back to it. */
export async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    },
    isVisible ? 'visible' : 'hidden',
  )
}
