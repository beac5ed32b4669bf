import type { Page } from 'playwright-core'
import {
  receiptsPath,
  type ReceiptStatus,
  type SignUpAccepted,
  signUpPath,
} from '#contract/sign-up.ts'
import { heroForm, hydrate, type Journey } from './journey.ts'

const receipt = 'AAAAAAAAAAAAAAAAAAAAAA'

/** The box is in the page from the start, empty. */
export const noteOn = (page: Page) =>
  heroForm(page).form.locator('.note', { has: page.locator('.note-heading') })
export const textOf = async (page: Page) =>
  (await noteOn(page).innerText()).replace(/\s+/g, ' ').trim()

/** A page whose clock the test moves. */
export async function visitAtTen(journey: Journey, options = {}): Promise<Page> {
  const page = await journey.open({ timezoneId: 'UTC', ...options })
  await page.clock.install({ time: '2026-11-22T09:00:00Z' }) // it runs while the page loads
  await page.addInitScript(keepLastAnswer)
  await page.goto('/')
  await page.clock.runFor(100)
  await hydrate(page)
  await page.clock.pauseAt('2026-11-22T10:00:00Z')
  return page
}

/** Passes the seconds one by one, and waits for the answer to what the page asks in between. */
export async function pass(page: Page, seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    await page.clock.runFor(1000)
    await page.evaluate(() => Reflect.get(window, 'lastAnswer'))
  }
}

/** In the page, before its scripts. */
function keepLastAnswer() {
  const ask = window.fetch
  window.fetch = (...call) => {
    const answer = ask(...call)
    const whole = answer.then((given) => given.clone().text())
    Reflect.set(
      window,
      'lastAnswer',
      whole.catch(() => {}),
    )
    return answer
  }
}

/** Answers in the place of a server whose mail waits. */
export async function answerWaiting(page: Page) {
  const signedUp: SignUpAccepted = {
    success: true,
    alreadyExists: false,
    resentAt: null,
    nextResendAt: '2026-11-22T10:15:00Z',
    receipt,
  }
  const waiting: ReceiptStatus = { state: 'waiting', handedOverAt: null, allMailIsSlow: false }
  await page.route(`**${signUpPath}`, (route) =>
    route.fulfill({ json: signedUp, headers: { date: 'Sun, 22 Nov 2026 10:00:00 GMT' } }),
  )
  await page.route(`**${receiptsPath}${receipt}`, (route) => route.fulfill({ json: waiting }))
}
