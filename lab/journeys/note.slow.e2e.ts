import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { receiptsPath } from '#contract/sign-up.ts'
import type { SmtpBehaviour } from '#rigs/mail/smtp-inbox.ts'
import { heroForm, newAddress, signUp, startJourney } from './journey.ts'
import { answerWaiting, noteOn, pass, textOf, visitAtTen } from './note-journey.ts'

const journey = startJourney({
  RESEND_AFTER_SECONDS: '900',
  LIMIT_ADDRESS_PER_DAY: '1',
  MAIL_RETRY_SECONDS: '3600',
})
const button = (page: Page, name: string) => noteOn(page).getByRole('button', { name })

/**
 * Returns the note's words at certain seconds after a sign-up, with a mail server that behaves so.
 */
async function storyOf(behaviour: SmtpBehaviour): Promise<string[]> {
  const page = await visitAtTen(journey)
  journey.inbox.behave(behaviour)
  const address = newAddress()
  await signUp(heroForm(page), address)
  await noteOn(page).waitFor()
  const told: string[] = []
  for (const seconds of [0, 1, 6, 1, 31, 1]) {
    await pass(page, seconds)
    told.push((await textOf(page)).replaceAll(address, 'ADDRESS'))
  }
  return told
}

test('a mailbox that does not exist reads like a slow one and like one whose server does not answer, step by step', async () => {
  const refused = await storyOf({
    does: 'answer',
    code: 550,
    to: 'recipient',
    words: '5.1.1 No such user',
  })
  const deferred = await storyOf({ does: 'answer', code: 451, to: 'recipient' })
  const mute = await storyOf({ does: 'stay-mute', at: 'data' })
  journey.inbox.behave({ does: 'accept' })
  journey.inbox.cutConnections()
  expect(refused.map((told) => told.split(/(?<=usual|way|yet) /)[0])).toEqual([
    'On its way',
    'On its way',
    'On its way',
    'Slower than usual',
    'Slower than usual',
    'Not taken yet',
  ])
  expect(refused.at(-1)).toContain('Is ADDRESS spelled right?')
  expect(deferred).toEqual(refused)
  expect(mute).toEqual(refused)
})

test('after the computer slept the note asks once, and says where the mail is now', async () => {
  const page = await visitAtTen(journey)
  await answerWaiting(page)
  let asked = 0
  page.on('request', (request) => (asked += request.url().includes(receiptsPath) ? 1 : 0))
  await signUp(heroForm(page), 'ana@example.com')
  await noteOn(page).getByText('On its way').waitFor()
  await page.clock.fastForward(3_600_000)
  await pass(page, 3)
  await noteOn(page).getByText('Is ana@example.com spelled right?').waitFor()
  expect(asked).toBe(1)
})

test('"Change it" gives the form back with the address in it, focused, and another press signs that address up', async () => {
  const page = await journey.visit('/')
  const address = newAddress()
  await signUp(heroForm(page), `x${address}`)
  await button(page, 'Change it').click()
  const { field, button: submit } = heroForm(page)
  expect(await field.inputValue()).toBe(`x${address}`)
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await field.fill(address)
  await submit.click()
  await journey.inbox.arrival(1, address)
})

const viewports = [
  [320, 568],
  [390, 664],
  [844, 390],
  [1024, 768],
  [1440, 900],
] as const

test('toast and note never cover each other', async () => {
  const page = await visitAtTen(journey, { hasTouch: true })
  await answerWaiting(page)
  for (const [width, height] of viewports) {
    await page.setViewportSize({ width, height })
    await page.evaluate(() => scrollTo(0, 0))
    await signUp(heroForm(page), 'ana@example.com')
    await noteOn(page).getByText('On its way').waitFor()
    await page.clock.runFor(300)
    const boxes = [page.locator('.toast').last(), noteOn(page)]
    const [toast, note] = await Promise.all(boxes.map(async (box) => (await box.boundingBox())!))
    const isApart =
      toast!.y + toast!.height <= note!.y ||
      note!.y + note!.height <= toast!.y ||
      toast!.x >= note!.x + note!.width
    expect(isApart, `${width} × ${height}`).toBe(true)
    expect(note!.y, `${width} × ${height}`).toBeGreaterThanOrEqual(0)
    expect(note!.y + note!.height, `${width} × ${height}`).toBeLessThanOrEqual(height)
    await page.clock.runFor(9000)
  }
})

test('the note uses the times of the server: an address at its ceiling gets a time of day', async () => {
  const page = await journey.visit('/')
  const address = newAddress()
  await signUp(heroForm(page), address)
  await page.getByText('Success! Check your email').waitFor()
  await signUp(heroForm(page), address)
  await page.getByText("You're already on the list!").waitFor()
  await expect.poll(() => textOf(page)).toMatch(/You can ask again (tomorrow )?at \d\d:\d\d\./)
})

describe('while nothing listens at the relay', () => {
  const dead = startJourney({ SMTP_URL: 'smtp://127.0.0.1:9' })

  test('the note says that mail is slow, and does not doubt the address', async () => {
    const page = await dead.visit('/')
    await signUp(heroForm(page), newAddress())
    await noteOn(page).getByText('Your address is fine.').waitFor()
  })
})
