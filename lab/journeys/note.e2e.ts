import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import { artefact, heroForm, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney({ RESEND_AFTER_SECONDS: '900', LIMIT_ADDRESS_PER_DAY: '1' })

/** The text under the form after an answer with these fields. */
async function noteAfter(page: Page, fields: object): Promise<string> {
  await page.route(`**${signUpPath}`, (route) =>
    route.fulfill({ json: { success: true, alreadyExists: true, ...fields } }),
  )
  await page.clock.setFixedTime('2026-11-22T10:00:00Z')
  await signUp(heroForm(page), 'ana@example.com')
  const note = heroForm(page).form.locator('.note')
  await note.waitFor()
  return (await note.textContent()) ?? ''
}

const utc = { timezoneId: 'UTC' }

test('the note says that the mail was sent again', async () => {
  const page = await journey.visit('/', utc)
  const note = await noteAfter(page, { resentAt: '2026-11-22T10:00:00.000Z', nextResendAt: null })
  expect(note).toContain('We have sent it again to ana@example.com.')
  expect(note).toContain('We can send it again in 15 minutes.')
  await page.screenshot({ path: artefact('note-sent-again.png') })
})

test('the note counts down from the last mail', async () => {
  const page = await journey.visit('/', utc)
  const note = await noteAfter(page, { resentAt: null, nextResendAt: '2026-11-22T10:04:00.000Z' })
  expect(note).toContain('ana@example.com is on the list already.')
  expect(note).toContain('We can send it again in 4 minutes.')
  await page.screenshot({ path: artefact('note-countdown.png') })
})

test("above the day's ceiling the note says when the next mail is possible", async () => {
  const page = await journey.visit('/', utc)
  const note = await noteAfter(page, { resentAt: null, nextResendAt: '2026-11-23T09:30:00.000Z' })
  expect(note).toContain('The next one is possible at 09:30 on Monday.')
  expect(await page.getByRole('button', { name: 'send it again' }).count()).toBe(0)
  await page.screenshot({ path: artefact('note-ceiling.png') })
})

test('the server gives the note its times: an address at its ceiling is told a time of day', async () => {
  const page = await journey.visit('/')
  const address = newAddress()
  await signUp(heroForm(page), address)
  await page.getByText('Success! Check your email').waitFor()
  await signUp(heroForm(page), address)
  await page.getByText("You're already on the list!").waitFor()
  expect(await heroForm(page).form.textContent()).toMatch(/The next one is possible at \d\d:\d\d( on \w+)?\./)
})
