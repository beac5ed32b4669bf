import { expect, test } from 'vitest'
import { check, deskOf } from './desk-journey.ts'
import { startJourney } from '../journey.ts'

const journey = startJourney()
const desk = deskOf(journey)

test('the heading of a person takes the focus when it is known, for screen readers, even if the list was left before its own', async () => {
  await desk.signUp('radia@example.com')
  const page = await desk.openDesk('people')
  await page.route(/people\.onTheList/, () => {})
  await page.reload()
  await page.getByRole('link', { name: 'radia@example.com' }).press('Enter')
  await page.locator('h1:focus', { hasText: 'radia@example.com' }).waitFor()
})

test('what was searched stays when the view is loaded again', async () => {
  await desk.signUp('barbara.liskov@example.com')
  const page = await desk.openDesk('people')
  await page.getByRole('searchbox').fill('liskov')
  await page.getByLabel('Who').selectOption('active')
  await page.reload()
  await page.getByRole('link', { name: 'barbara.liskov@example.com' }).waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('liskov')
  expect(await page.getByLabel('Who').inputValue()).toBe('active')
})

test('what was searched stays on the way back from a person', async () => {
  await desk.signUp('frances.allen@example.com')
  const page = await desk.openDesk('people')
  await page.getByRole('searchbox').fill('allen')
  await page.getByRole('link', { name: 'frances.allen@example.com' }).click()
  await page.getByRole('heading', { name: 'frances.allen@example.com' }).waitFor()
  await page.locator('main').getByRole('link', { name: 'People', exact: true }).click()
  await page.getByRole('heading', { name: 'on the list' }).waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('allen')
})

test('an export shows how many people are in the file so far, and a stop saves no file', async () => {
  const page = await desk.openDesk('people')
  await page.route('**/desk/api/export', () => {}) // never answered
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Download' }).click()
  await dialog.getByText(/^0 of \d+ people so far\.$/).waitFor()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await dialog.getByText('Stopped. No file was saved.').waitFor()
})

test('an address that cannot be corrected to says so at its field', async () => {
  await desk.signUp('mistyped@exmaple.com')
  await desk.signUp('taken@example.com')
  const page = await desk.openDesk('people')
  await page.getByRole('link', { name: 'mistyped@exmaple.com' }).click()
  await page.getByRole('button', { name: 'Correct the address' }).click()
  const field = page.getByRole('dialog').getByLabel('Address')
  await field.fill('taken@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('That address is on the list already.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
})

test('once an import has ended, People lists whom it added', async () => {
  const page = await desk.openDesk('people/import')
  const buffer = Buffer.from('email\nlater@example.com\n')
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer }
  await page.getByLabel('The file').locator('input[type=file]').setInputFiles(file)
  // The list is read before the import has added anybody.
  let isEarly = true
  await page.route('**/desk/api/people.search*', async (route) => {
    const answer = await (await route.fetch()).json()
    if (isEarly) answer.result.data.people = []
    await route.fulfill({ json: answer })
  })
  await page.route('**/desk/api/jobs.show*', async (route) => {
    const answer = await (await route.fetch()).json()
    if (isEarly) Object.assign(answer.result.data[0], { state: 'running', endedAt: null })
    await route.fulfill({ json: answer })
  })
  await page.getByRole('button', { name: 'Import 1 person' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Import 1 person' }).click()
  await page.getByRole('heading', { name: 'In progress' }).waitFor()
  isEarly = false
  await page.getByRole('link', { name: 'later@example.com' }).waitFor()
})

test('axe finds no violation in a dialog', async () => {
  await desk.signUp('ada@example.com')
  const page = await desk.openDesk('people')
  await page.getByRole('link', { name: 'ada@example.com' }).click()
  await page.getByRole('button', { name: 'Correct the address' }).click()
  await page.getByRole('dialog').getByLabel('Address').waitFor()
  await check(page)
})

test('what a value means is chosen at the desk, and people come off by a file', async () => {
  const page = await desk.openDesk('people/import')
  const fileOf = (text: string) => ({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })
  const table = 'email,Status\nfirst-of-two@example.com,zombie\nsecond-of-two@example.com,active\n'
  await page.locator('input[type=file]').setInputFiles(fileOf(table))
  await page.getByText('1 line has a value to explain below.').waitFor()
  expect(await page.getByRole('button', { name: 'Import 1 person' }).isDisabled()).toBe(true)
  await check(page)
  await page.getByLabel('zombie under Status').selectOption({ label: 'May be mailed' })
  await page.getByRole('button', { name: 'Import 2 people' }).waitFor()
  await page.getByRole('button', { name: 'Use a CSV file' }).click()
  const off = fileOf('email\nnobody@example.com\n')
  await page.getByRole('region', { name: 'Take people off' }).locator('input').setInputFiles(off)
  await page.getByText('1 address is not on the list.').waitFor()
  await check(page)
})

test('a line of an import that is refused does not scroll sideways, however long it is', async () => {
  const page = await desk.openDesk('people/import')
  const buffer = Buffer.from(`email\n${'x'.repeat(127)}\n`)
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer }
  await page.getByLabel('The file').locator('input[type=file]').setInputFiles(file)
  await page.getByRole('heading', { name: '1 line is refused' }).waitFor()
  await check(page)
})
