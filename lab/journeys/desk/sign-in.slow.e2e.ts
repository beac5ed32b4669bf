import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { check, deskOf, shownHeading, typeCode, watchCalls } from './desk-journey.ts'
import { startJourney } from '../journey.ts'

const journey = startJourney()
const desk = deskOf(journey)

test('an empty code is not sent, and a wrong one says at its field how many tries are left', async () => {
  const page = await journey.open()
  const calls = watchCalls(page)
  await page.goto('/desk')
  const code = await desk.newCode(() =>
    page.getByRole('button', { name: 'Send me a code' }).click(),
  )
  const field = page.locator('input[autocomplete=one-time-code]:focus')
  await field.waitFor()
  await typeCode(page, '')
  await typeCode(page, code === '0000 0000' ? '11111111' : '00000000')
  await page.getByText('That code is not right. 4 tries left.').waitFor()
  expect(await page.getByLabel('Code').getAttribute('aria-invalid')).toBe('true')
  expect(calls.names.filter((name) => name === 'signIn.byCode')).toHaveLength(1)
})

test('without a mail service the desk says that no code can be sent, and shows the other way in', async () => {
  const page = await journey.openAgain('stranger')
  await answerWith(page, 'signIn.show', { siteName: 'Turn Bot', codeGoesTo: 'nowhere' })
  await page.goto('/desk')
  await page.getByText('A code cannot be sent: no mail service is set up yet.').waitFor()
  await page.getByText('desk-link').waitFor()
  expect(await page.getByRole('button', { name: /code/ }).count()).toBe(0)
})

test('with the local inbox the desk says that the code goes there', async () => {
  const page = await journey.openAgain('stranger')
  await answerWith(page, 'signIn.show', { siteName: 'Turn Bot', codeGoesTo: 'local-inbox' })
  await page.goto('/desk')
  await page.getByRole('link', { name: 'local inbox' }).waitFor()
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
})

/** Starts as a server with another configuration would. */
async function answerWith(page: Page, procedure: string, data: unknown): Promise<void> {
  await page.route(`**/desk/api/${procedure}*`, (route) =>
    route.fulfill({ json: { result: { data } } }),
  )
}

test('a link that could not be sent says so, and can be pressed again', async () => {
  const page = await journey.open()
  await page.goto(await desk.deskLink())
  await page.route('**/desk/api/signIn.byLink', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The server cannot be reached.').waitFor()
  await page.unroute('**/desk/api/signIn.byLink')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
})

test('another browser is signed out under You', async () => {
  const lost = await desk.openDesk('', { isNew: true })
  const page = await desk.openDesk('you', { isNew: true })
  await shownHeading(page)
  const browsers = page.getByRole('region', { name: 'Browsers signed in' })
  const before = await browsers.getByRole('button', { name: /^Sign out: / }).count()
  expect(before).toBeGreaterThan(0)
  // The newest stands first: the other one is the next.
  await browsers
    .getByRole('button', { name: /^Sign out: / })
    .first()
    .click()
  await expect
    .poll(() => browsers.getByRole('button', { name: /^Sign out: / }).count())
    .toBe(before - 1)
  await lost.goto('/desk')
  await lost.getByRole('button', { name: 'Send me a code' }).waitFor()
})

test('an action that needs a fresh proof is done once a code is typed', async () => {
  const page = await askToEraseWithOldProof('erase.by.code@example.com')
  const dialog = page.getByRole('dialog', { name: 'First confirm that it is you' })
  const code = await desk.newCode(() =>
    dialog.getByRole('button', { name: 'Send me a code' }).click(),
  )
  await typeCode(page, code)
  await page.getByText(/^Erased\./).waitFor()
})

test('an action that needs a fresh proof is dropped when its view is left', async () => {
  const page = await askToEraseWithOldProof('keep.me@example.com')
  await page.goBack()
  const dialog = page.getByRole('dialog', { name: 'First confirm that it is you' })
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'keep.me@example.com' }).waitFor()
})

/** A double click asks once. */
async function askToEraseWithOldProof(address: string): Promise<Page> {
  await desk.signUp(address)
  const page = await desk.openDesk('people')
  const database = new DatabaseSync(journey.product.databaseFile, { timeout: 5_000 })
  database.exec(`update desk_sessions set signed_in_at = signed_in_at - ${16 * 60_000}`)
  database.close()
  await page.getByRole('link', { name: address }).click()
  await page.getByRole('button', { name: 'Erase this person' }).dblclick()
  await page.getByRole('button', { name: 'Erase for good' }).dblclick()
  await page.getByRole('dialog', { name: 'First confirm that it is you' }).waitFor()
  return page
}

test('axe finds no violation on the page to sign in', async () => {
  const page = await journey.openAgain('stranger')
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
  await check(page)
})
