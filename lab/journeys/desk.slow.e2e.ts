import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deskOf, typeCode, watchCalls, check, shownHeading, setVisible } from './desk-journey.ts'
import { hydrate, startJourney } from './journey.ts'

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
  const page = await journey.open()
  await answerWith(page, 'signIn.show', { siteName: 'Turn Bot', codeGoesTo: 'nowhere' })
  await page.goto('/desk')
  await page.getByText('A code cannot be sent: no mail service is set up yet.').waitFor()
  await page.getByText('desk-link').waitFor()
  expect(await page.getByRole('button', { name: /code/ }).count()).toBe(0)
})

test('with the local inbox the desk says that the code goes there', async () => {
  const page = await journey.open()
  await answerWith(page, 'signIn.show', { siteName: 'Turn Bot', codeGoesTo: 'local-inbox' })
  await page.goto('/desk')
  await page.getByRole('link', { name: 'local inbox' }).waitFor()
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
})

/** As a server with another configuration would. */
async function answerWith(page: Page, procedure: string, data: unknown): Promise<void> {
  await page.route(`**/desk/api/${procedure}*`, (route) =>
    route.fulfill({ json: { result: { data } } }),
  )
}

test('desk and landing page load nothing of each other', async () => {
  const page = await journey.open()
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await desk.signIn(page)
  const others = paths.filter((path) => !path.startsWith('/desk'))
  expect(others.filter((path) => !/woff2|favicon/.test(path))).toEqual([])
  paths.length = 0
  await page.goto('/')
  await hydrate(page)
  expect(paths.filter((path) => path.startsWith('/desk'))).toEqual([])
})

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
  const lost = await desk.openDesk()
  const page = await desk.openDesk('you')
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

test('an address of the desk that is no view says so, also one that every object has a property of', async () => {
  const page = await desk.openDesk('nonsense')
  for (const path of ['constructor', '__proto__', 'people/constructor', 'page/toString']) {
    await page.getByRole('heading', { name: 'There is no such view.' }).waitFor()
    await page.goto(`/desk/${path}`)
  }
  await page.getByRole('heading', { name: 'There is no such view.' }).waitFor()
})

test('back and forth lead through the views to where they were left, also without the Navigation API', async () => {
  const page = await desk.openDesk('')
  await page.addInitScript(() => Object.defineProperty(window, 'navigation', { value: undefined }))
  await page.reload()
  await page.setViewportSize({ width: 1024, height: 300 })
  await shownHeading(page)
  const heading = () => page.locator('main h1').innerText()
  const today = await heading()
  const mail = page.getByRole('link', { name: 'Mail', exact: true })
  // Playwright's own press would scroll to the link first.
  await mail.evaluate((link: HTMLElement) => {
    scrollTo(0, 200)
    link.click()
  })
  await expect.poll(heading).not.toBe(today)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(heading).toBe(today)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(200)
  await page.goForward()
  await expect.poll(heading).not.toBe(today)
})

test('a view that fails says so, and the other views can still be opened', async () => {
  const page = await desk.openDesk('check-up')
  await shownHeading(page)
  // No server answers like this: it stands for a fault of our own.
  const broken = { result: { data: {} } }
  await page.route('**/desk/api/you.show*', (route) => route.fulfill({ json: broken }))
  await page.getByRole('link', { name: 'You', exact: true }).click()
  const failed = page.getByRole('heading', { name: 'This view cannot be shown.' })
  await failed.waitFor()
  await page.getByRole('link', { name: 'Mail', exact: true }).click()
  await failed.waitFor({ state: 'detached' })
  await shownHeading(page)
})

test('Today makes a link for a campaign as the server counts it', async () => {
  const page = await desk.openDesk()
  await page.getByLabel('Make a link for a campaign').fill(' My video: 2')
  await page.getByText('/?utm_source=my-video-2').waitFor()
})

test('Today does not scroll sideways with many sources of long names and a day far above the others', async () => {
  countDays(28, 12)
  const page = await desk.openDesk()
  await page.getByRole('img', { name: 'Sign-ups by day' }).getByText('12,345').waitFor()
  await page.getByText('more campaigns').click()
  await check(page)
})

/** No product can wait so many days. */
function countDays(days: number, campaigns: number): void {
  const database = new DatabaseSync(journey.product.databaseFile, { timeout: 5_000 })
  const count = database.prepare(
    `insert into daily_counts (day, event, detail, count) values (?, ?, ?, ?)
     on conflict (day, event, detail) do update set count = excluded.count`,
  )
  database.exec('begin') // each row would be written to the disk alone
  for (let ago = 0; ago < days; ago += 1) {
    const day = new Date(Date.now() - ago * 24 * 60 * 60_000).toISOString().slice(0, 10)
    count.run(day, 'signed-up', 'hero', ago === 9 ? 12_345 : 12)
    count.run(day, 'landing-viewed', 'person', 123_456)
    for (let index = 0; index < campaigns; index += 1) {
      count.run(day, 'came-from', `${index}-${'x'.repeat(37)}`, 1_000)
      count.run(day, 'viewed-from', `${index}-${'x'.repeat(37)}`, 123_456)
    }
  }
  database.exec('commit')
  database.close()
}

test('the check-up shows an error, with the way to its remedy, and does not say that nothing is wrong', async () => {
  const database = new DatabaseSync(journey.product.databaseFile, { timeout: 5_000 })
  const day = new Date().toISOString().slice(0, 10)
  database.prepare("insert into daily_counts values (?, 'bounced', '', 100000)").run(day)
  try {
    const page = await desk.openDesk('check-up')
    const errors = page.getByRole('region', { name: 'Errors' })
    await errors.getByText('Too much mail fails or comes back.').waitFor()
    expect(await page.getByRole('heading', { name: 'Nothing is wrong.' }).count()).toBe(0)
    await errors.getByRole('link', { name: 'Open Mail' }).click()
    await page.getByRole('heading', { name: 'Email is being delivered.' }).waitFor()
  } finally {
    database.prepare("delete from daily_counts where event = 'bounced'").run()
    database.close()
  }
})

test('Today keeps its figures while the database is away', async () => {
  const page = await desk.openDesk()
  await page.getByRole('heading', { name: 'Sources' }).waitFor()
  const data = { code: 'SERVICE_UNAVAILABLE', httpStatus: 503 }
  const error = { error: { message: 'The database does not answer.', code: -32_000, data } }
  await page.route('**/desk/api/today.*', (route) => route.fulfill({ status: 503, json: error }))
  await setVisible(page, true)
  await page.getByRole('heading', { name: 'The database does not answer.' }).waitFor()
  await page.getByText('Out of date').waitFor()
  await page.getByRole('heading', { name: 'Sources' }).waitFor()
})

test('Today asks again by itself, but not while its tab is hidden', async () => {
  const page = await journey.open()
  await page.clock.install()
  await desk.signIn(page)
  await page.getByRole('heading', { name: /want to hear more|Nobody is on your list/ }).waitFor()
  const calls = watchCalls(page)
  await page.clock.fastForward(11_000)
  await expect.poll(() => calls.names).toContain('today.state')
  await setVisible(page, false)
  await calls.settled()
  calls.names.length = 0
  await page.clock.fastForward(5 * 60_000)
  await calls.settled()
  expect(calls.names).toEqual([])
  await setVisible(page, true)
  await expect.poll(() => calls.names).toContain('today.state')
})

test.each(['people', 'mail', 'letters', 'check-up', 'you'])(
  'the view %s asks once, and not again by itself',
  async (path) => {
    const page = await journey.open()
    await page.clock.install()
    await desk.signIn(page)
    const calls = watchCalls(page)
    await page.goto(`/desk/${path}`)
    await shownHeading(page)
    await calls.settled()
    calls.names.length = 0
    await page.clock.fastForward(5 * 60_000)
    await setVisible(page, true)
    await calls.settled()
    expect(calls.names).toEqual([])
  },
)

test('the heading of a person takes the focus when it is known, for screen readers', async () => {
  await desk.signUp('radia@example.com')
  const page = await desk.openDesk('people')
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

test('an export shows how many people have come, and a stop saves no file', async () => {
  const page = await desk.openDesk('people')
  await page.route('**/desk/api/export', () => {}) // never answered
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Download' }).click()
  await dialog.getByText(/^0 of \d+ people have come\.$/).waitFor()
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

test('a failed mail is listed with its reason', async () => {
  const page = await openFailedMail('full.box@example.com')
  await page.getByRole('button', { name: 'Retry: full.box@example.com' }).waitFor()
  await page.getByText('The mailbox takes no mail.').waitFor()
})

test('a double click retries a failed mail once', async () => {
  const address = 'full.again@example.com'
  const page = await openFailedMail(address)
  journey.inbox.behave({ does: 'accept' })
  const calls = watchCalls(page)
  await page.getByRole('button', { name: `Retry: ${address}` }).dblclick()
  await journey.inbox.arrival(1, address)
  expect(calls.names.filter((name) => name === 'mail.retry')).toHaveLength(1)
})

async function openFailedMail(address: string): Promise<Page> {
  const disabled = { does: 'answer', code: 550, to: 'recipient', words: '5.2.1 Disabled' } as const
  journey.inbox.behave((recipient) => (recipient === address ? disabled : { does: 'accept' }))
  await desk.signUp(address)
  const page = await desk.openDesk()
  await expect
    .poll(async () => {
      await page.goto('/desk/mail')
      await page
        .getByText(/^Failed/)
        .first()
        .click()
      await page.getByRole('heading', { name: 'failed' }).waitFor()
      return page.getByRole('link', { name: address, exact: true }).count()
    })
    .toBe(1)
  return page
}

test('a letter is shown as it arrives while it is written', async () => {
  const page = await desk.openLetter()
  await page.getByRole('textbox', { name: 'Text' }).fill('It is **here**. <script>')
  const mail = page.frameLocator('iframe')
  await mail.locator('strong', { hasText: 'here' }).waitFor()
  await mail.getByRole('paragraph').filter({ hasText: '<script>' }).waitFor()
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

const views = ['', 'people', 'mail', 'letters', 'check-up', 'you', 'people/import', 'nonsense']

test.each(views)(
  'axe finds no violation, and nothing scrolls sideways, at /desk/%s',
  async (path) => {
    await desk.signUp('ada@example.com')
    const page = await desk.openDesk(path)
    await shownHeading(page)
    await check(page)
  },
)

test('axe finds no violation on the page to sign in', async () => {
  const page = await journey.open()
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
  await check(page)
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
  await page.getByRole('button', { name: 'Take off with a file' }).click()
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
