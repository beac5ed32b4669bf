import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { noteText } from '#content/pages/note.ts'
import { receiptsPath, type ReceiptStatus, signUpPath } from '#contract/sign-up.ts'
import type { SmtpBehaviour } from '#rigs/mail/smtp-inbox.ts'
import { artefact, finishAnimations, heroForm, hydrate, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney({
  RESEND_AFTER_SECONDS: '900',
  LIMIT_ADDRESS_PER_DAY: '1',
  MAIL_RETRY_SECONDS: '3600',
})
const receipt = 'AAAAAAAAAAAAAAAAAAAAAA'
const waiting: ReceiptStatus = { state: 'waiting', handedOverAt: null, allMailIsSlow: false }
const left: ReceiptStatus = {
  state: 'handed-over',
  handedOverAt: '2026-11-22T10:01:00Z',
  allMailIsSlow: false,
}

/** The box is in the page from the start, empty. */
const noteOn = (page: Page) => heroForm(page).form.locator('.note', { has: page.locator('.note-heading') })
const textOf = async (page: Page) => (await noteOn(page).innerText()).replace(/\s+/g, ' ').trim()
const button = (page: Page, name: string) => noteOn(page).getByRole('button', { name })

/** A page whose clock the test moves. */
async function visit(options = {}): Promise<Page> {
  const page = await journey.open({ timezoneId: 'UTC', ...options })
  await page.clock.install({ time: '2026-11-22T09:59:30Z' })
  await page.addInitScript(keepLastAnswer)
  await page.goto('/')
  await page.clock.runFor(100)
  await hydrate(page)
  await page.clock.pauseAt('2026-11-22T10:00:00Z')
  return page
}

/** Passes the seconds one by one, and waits for the answer to what the page asks in between. */
async function pass(page: Page, seconds: number) {
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

/** Answers in the server's place. `asked` counts the questions about the receipt. */
async function stub(page: Page, fields: object, status: () => ReceiptStatus) {
  const stubbed = { asked: 0 }
  const answer = { success: true, alreadyExists: false, resentAt: null, nextResendAt: '2026-11-22T10:15:00Z' }
  await page.route(`**${signUpPath}`, (route) =>
    route.fulfill({
      json: { ...answer, receipt, firstMail: null, ...fields },
      headers: { date: 'Sun, 22 Nov 2026 10:00:00 GMT' },
    }),
  )
  await page.route(`**${receiptsPath}${receipt}`, (route) => {
    stubbed.asked += 1
    return route.fulfill({ json: status() })
  })
  return stubbed
}

test('the note says that the mail is on its way, and then without a reload that it was handed over', async () => {
  const page = await journey.visit('/')
  const address = newAddress()
  await page.clock.setFixedTime(Date.now())
  await signUp(heroForm(page), address)
  await noteOn(page).getByText('On its way').waitFor()
  expect(await textOf(page)).toContain(`The script and the guide are going to ${address}.`)
  await page.clock.setSystemTime(Date.now())
  await noteOn(page).getByText('Handed over').waitFor()
  expect(await textOf(page)).toMatch(
    /left us at (\d\d:\d\d)\. Look for “Your free bot: script and setup guide”, also in spam\./,
  )
  expect(await noteOn(page).locator('time').getAttribute('datetime')).toMatch(/^2\d{3}-.*Z$/)
  await journey.inbox.arrival(1, address)
})

/** Returns the note's words at certain seconds after a sign-up, with a mail server that behaves so. */
async function storyOf(behaviour: SmtpBehaviour): Promise<string[]> {
  const page = await visit()
  journey.inbox.behave(behaviour)
  const address = newAddress()
  await signUp(heroForm(page), address)
  await noteOn(page).waitFor()
  const told: string[] = []
  for (const seconds of [0, 1, 6, 1, 21, 1]) {
    await pass(page, seconds)
    told.push((await textOf(page)).replaceAll(address, 'ADDRESS'))
  }
  return told
}

test('a mailbox that does not exist reads like a slow one and like one whose server does not answer, step by step', async () => {
  const refused = await storyOf({ does: 'answer', code: 550, to: 'recipient' })
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
  expect(refused.at(-1)).toContain('Is the address spelled right? ADDRESS')
  expect(deferred).toEqual(refused)
  expect(mute).toEqual(refused)
})

test('the page asks after 1, 2, 4, 8, 15 and 30 s, then when the visitor is back, and no more once the mail has left', async () => {
  const page = await visit()
  let status = waiting
  const stubbed = await stub(page, {}, () => status)
  await signUp(heroForm(page), 'ana@example.com')
  await noteOn(page).waitFor()
  const askedAt = await page.evaluateHandle(() => {
    const [real, since, seconds] = [window.fetch, Date.now(), [] as number[]]
    window.fetch = (...call) => {
      seconds.push(Math.round((Date.now() - since) / 1000))
      return real(...call)
    }
    return seconds
  })
  await pass(page, 40)
  expect(await askedAt.jsonValue()).toEqual([1, 2, 4, 8, 15, 30])
  const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await comeBack()
  await comeBack()
  await expect.poll(() => stubbed.asked).toBe(7)
  expect(await askedAt.jsonValue()).toHaveLength(7)
  status = left
  await pass(page, 10)
  await comeBack()
  await noteOn(page).getByText('Handed over').waitFor()
  await pass(page, 10)
  await comeBack()
  expect(stubbed.asked).toBe(8)
})

const listed = { alreadyExists: true, nextResendAt: '2026-11-22T10:04:00Z' }
const again = { alreadyExists: true, resentAt: '2026-11-22T10:00:00Z', nextResendAt: null }
const tomorrow = { alreadyExists: true, nextResendAt: '2026-11-23T09:30:00Z' }
const hidden = { nextResendAt: null }
const otherBackend = { receipt: undefined }
const stuck = { ...waiting, allMailIsSlow: true }

/** Each view of the note, after so many seconds, with words that are in no other. */
const views: [
  view: keyof typeof noteText.views,
  fields: object,
  status: ReceiptStatus,
  seconds: number,
  words: string,
][] = [
  ['on-its-way', {}, waiting, 1, 'This note says when they have left.'],
  ['handed-over', {}, left, 2, 'Handed over 10:01 The email for ana@gmial.com left us at 10:01.'],
  ['slow', {}, waiting, 9, 'Slower than usual'],
  ['not-taken', {}, waiting, 31, 'Is the address spelled right? ana@gmial.com Use ana@gmail.com'],
  ['all-slow', {}, stuck, 2, 'Your email to ana@gmial.com is kept.'],
  ['again', again, waiting, 1, 'We are sending the email to ana@gmial.com once more.'],
  ['sent-again', again, left, 2, 'A second email for ana@gmial.com left us at 10:01.'],
  ['listed', listed, left, 2, 'We can send it again in 4 minutes.'],
  ['ceiling', tomorrow, left, 2, 'has had one email from us in 24 hours, and that is the most we send.'],
  ['change', {}, waiting, 2, 'Correct the address above'],
  ['cancelled', { firstMail: 'cancelled' }, waiting, 1, 'The email to ana@gmial.com is cancelled.'],
  ['left', { firstMail: 'left' }, waiting, 1, 'The email to ana@gmial.com had left already.'],
  [
    'hidden',
    hidden,
    { ...waiting, state: 'slow' },
    31,
    'If an email is due to ana@gmial.com, it is on its way.',
  ],
  ['hidden-slow', hidden, stuck, 2, 'If an email is due to ana@gmial.com, it is kept.'],
  ['sent', otherBackend, waiting, 1, 'The script and the guide are on their way to ana@gmial.com.'],
  ['resent', { ...again, ...otherBackend }, waiting, 1, 'We have sent it again to ana@gmial.com.'],
  ['known', { ...listed, ...otherBackend }, waiting, 1, 'ana@gmial.com is on the list already.'],
]

test('every view of the note has its words, and its picture on a phone, light and dark', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
  expect(views.map(([view]) => view).toSorted()).toEqual(Object.keys(noteText.views).toSorted())
  for (const [view, fields, status, seconds, words] of views) {
    const page = await visit(phone)
    await stub(page, fields, () => status)
    await signUp(heroForm(page), 'ana@gmial.com')
    await noteOn(page).waitFor()
    if (view === 'change' || 'firstMail' in fields) await button(page, 'Change it').click()
    if ('firstMail' in fields) await signUp(heroForm(page), 'ana@gmail.com')
    await pass(page, seconds)
    await expect.poll(() => textOf(page), { message: view }).toContain(words)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await finishAnimations(page)
      await page.screenshot({ path: artefact(`note-${view}-${colorScheme}.png`) })
    }
    await page.context().close()
  }
})

test('"Change it" moves into the field with the address, "Leave it as it was" back, and the focus is never lost', async () => {
  const page = await visit()
  await stub(page, {}, () => waiting)
  await signUp(heroForm(page), 'ana@gmial.com')
  await button(page, 'Change it').click()
  const { field } = heroForm(page)
  expect(await field.inputValue()).toBe('ana@gmial.com')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await textOf(page)).toContain('Correct the address above')
  await button(page, 'Leave it as it was').click()
  expect(await field.inputValue()).toBe('')
  await pass(page, 1)
  expect(await button(page, 'Change it').evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a wrong address is corrected by one press, and its mail is cancelled', async () => {
  const page = await visit()
  journey.inbox.behave((to) =>
    to.endsWith('@gmial.com') ? { does: 'answer', code: 451, to: 'recipient' } : { does: 'accept' },
  )
  await signUp(heroForm(page), 'eva@gmial.com')
  await noteOn(page).waitFor()
  await pass(page, 31)
  await button(page, 'Use eva@gmail.com').click()
  await noteOn(page).getByText('The email to eva@gmial.com is cancelled.').waitFor()
  await journey.inbox.arrival(1, 'eva@gmail.com')
  const hasLeft = noteOn(page).getByText('The email for eva@gmail.com left us at')
  await expect
    .poll(async () => {
      await pass(page, 10) // the mail is recorded as sent some time after it has arrived
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      return hasLeft.count()
    })
    .toBe(1)
})

const viewports = [
  [320, 568],
  [390, 664],
  [844, 390],
  [1024, 768],
  [1440, 900],
] as const

test('toast and note never cover each other', async () => {
  const page = await visit({ hasTouch: true })
  await stub(page, {}, () => waiting)
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
  await expect.poll(() => textOf(page)).toMatch(/The next one can leave (tomorrow )?at \d\d:\d\d\./)
})
