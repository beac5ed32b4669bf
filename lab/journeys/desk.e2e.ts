import { DatabaseSync } from 'node:sqlite'
import type { Page, Request } from 'playwright-core'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import {
  complaintsOf,
  deskLink as deskLinkOf,
  finishAnimations,
  hydrate,
  openDesk as openDeskOf,
  startJourney,
  violations,
} from './journey.ts'

const owner = 'owner@example.com'
const journey = startJourney({ OWNER_EMAIL: owner })

const deskLink = () => deskLinkOf(journey, owner)
const openDesk = (path?: string) => openDeskOf(journey, owner, path)

async function signIn(page: Page): Promise<void> {
  await page.goto(await deskLink())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
}

let codes = 0

/** The newest code that was mailed to the owner. */
async function mailedCode(): Promise<string> {
  const mailed = async () => {
    const mails = journey.inbox.mails.filter(({ to }) => to.includes(owner))
    const texts = await Promise.all(
      mails.map(async ({ raw }) => (await PostalMime.parse(raw)).text ?? ''),
    )
    return texts.flatMap((text) => /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? [])
  }
  codes += 1
  await expect.poll(async () => (await mailed()).length).toBe(codes)
  return (await mailed()).at(-1)!
}

async function typeCode(page: Page, code: string): Promise<void> {
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
function watchCalls(page: Page): Calls {
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

async function signUp(email: string): Promise<void> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: journey.product.url,
  }
  const body = new URLSearchParams({ email })
  const answer = await fetch(journey.product.url + signUpPath, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

test('the owner signs in by a mailed code at any view, and out', async () => {
  const page = await journey.open()
  await page.goto('/desk/people')
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await typeCode(page, await mailedCode())
  await page.getByRole('heading', { name: 'on the list' }).waitFor()
  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByRole('heading', { name: owner }).waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
})

test('an empty code is not sent, and a wrong one says at its field how many tries are left', async () => {
  const page = await journey.open()
  const calls = watchCalls(page)
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Send me a code' }).click()
  const code = await mailedCode()
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
  await signIn(page)
  const others = paths.filter((path) => !path.startsWith('/desk'))
  expect(others.filter((path) => !/woff2|favicon/.test(path))).toEqual([])
  paths.length = 0
  await page.goto('/')
  await hydrate(page)
  expect(paths.filter((path) => path.startsWith('/desk'))).toEqual([])
})

test('a passkey made at the desk opens it again without a mail', async () => {
  const page = await journey.open()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
  const verified = {
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  }
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, ...verified } })
  await signIn(page)
  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByRole('button', { name: /^Remove: / }).waitFor()
  await page.context().clearCookies()
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
})

test('following a link of desk-link does not use it up', async () => {
  const link = await deskLink()
  for (const method of ['HEAD', 'GET', 'GET']) {
    expect((await fetch(link, { method })).status).toBe(200)
  }
  const page = await journey.open()
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
})

test('a link of desk-link signs in once', async () => {
  const link = await deskLink()
  for (const shown of ['Placeholders are on your page.', 'Your desk.']) {
    const page = await journey.open()
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: shown }).waitFor()
  }
})

test('a link that could not be sent says so, and can be pressed again', async () => {
  const page = await journey.open()
  await page.goto(await deskLink())
  await page.route('**/desk/api/signIn.byLink', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The server cannot be reached.').waitFor()
  await page.unroute('**/desk/api/signIn.byLink')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
})

test('another browser is signed out under You', async () => {
  const lost = await openDesk()
  const page = await openDesk('you')
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
  const page = await openDesk('nonsense')
  for (const path of ['constructor', '__proto__', 'people/constructor', 'page/toString']) {
    await page.getByRole('heading', { name: 'There is no such view.' }).waitFor()
    await page.goto(`/desk/${path}`)
  }
  await page.getByRole('heading', { name: 'There is no such view.' }).waitFor()
})

test('back and forth lead through the views to where they were left, also without the Navigation API', async () => {
  const page = await openDesk('')
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
  const page = await openDesk('check-up')
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
  const page = await openDesk()
  await page.getByLabel('Make a link for a campaign').fill(' My video: 2')
  await page.getByText('/?utm_source=my-video-2').waitFor()
})

test('Today does not scroll sideways with many sources of long names and a day far above the others', async () => {
  countDays(28, 12)
  const page = await openDesk()
  await page.getByText('The scale is logarithmic').waitFor()
  await page.getByText('more campaigns').click()
  await check(page)
})

test('keys move a cross-hair over the days of the plot, and Escape takes it away', async () => {
  countDays(28, 1)
  const page = await openDesk()
  const plot = page.getByRole('slider', { name: 'Sign-ups by day' })
  await plot.focus()
  await page.keyboard.press('End')
  for (let ago = 0; ago < 9; ago += 1) await page.keyboard.press('ArrowLeft')
  expect(await plot.getAttribute('aria-valuetext')).toMatch(/^\d+ \w+: Sign-ups a day 12,345$/)
  await plot.locator('text', { hasText: '12,345' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await plot.getAttribute('aria-valuenow')).toBe('27')
  await expect.poll(() => plot.locator('text', { hasText: '12,345' }).count()).toBe(0)
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

test('the check-up shows an alarm that is open, with the way to its remedy, and does not say that nothing is wrong', async () => {
  const database = new DatabaseSync(journey.product.databaseFile, { timeout: 5_000 })
  const day = new Date().toISOString().slice(0, 10)
  database.prepare("insert into daily_counts values (?, 'bounced', '', 100000)").run(day)
  try {
    const page = await openDesk('check-up')
    const open = page.getByRole('region', { name: 'Open now' })
    await open.getByText('Too much mail fails or comes back.').waitFor()
    expect(await page.getByRole('heading', { name: 'Nothing is wrong.' }).count()).toBe(0)
    await open.getByRole('link', { name: 'See what to do' }).click()
    await page.getByRole('heading', { name: /^Mail/ }).waitFor()
  } finally {
    database.prepare("delete from daily_counts where event = 'bounced'").run()
    database.close()
  }
})

test('Today keeps its figures while the database is away', async () => {
  const page = await openDesk()
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
  await signIn(page)
  await page.getByRole('heading', { name: 'Placeholders are on your page.' }).waitFor()
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
    await signIn(page)
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

test('a person is found by a part of the address, which gets into no URL', async () => {
  await signUp('grace.hopper@example.com')
  await signUp('someone.else@example.com')
  const page = await journey.open()
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  page.on('framenavigated', (frame) => urls.push(frame.url()))
  await signIn(page)
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByText('someone.else@').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('HOPPER')
  await page.getByText('someone.else@').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'grace.hopper@example.com' }).press('Enter')
  await page.getByRole('heading', { name: 'grace.hopper@example.com' }).waitFor()
  expect(urls.filter((url) => /hopper/i.test(url))).toEqual([])
})

test('the heading of a person takes the focus when it is known, for screen readers', async () => {
  await signUp('radia@example.com')
  const page = await openDesk('people')
  await page.getByRole('link', { name: 'radia@example.com' }).press('Enter')
  await page.locator('h1:focus', { hasText: 'radia@example.com' }).waitFor()
})

test('what was searched stays when the view is loaded again', async () => {
  await signUp('barbara.liskov@example.com')
  const page = await openDesk('people')
  await page.getByRole('searchbox').fill('liskov')
  await page.getByLabel('Who').selectOption('active')
  await page.reload()
  await page.getByRole('link', { name: 'barbara.liskov@example.com' }).waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('liskov')
  expect(await page.getByLabel('Who').inputValue()).toBe('active')
})

test('what was searched stays on the way back from a person', async () => {
  await signUp('frances.allen@example.com')
  const page = await openDesk('people')
  await page.getByRole('searchbox').fill('allen')
  await page.getByRole('link', { name: 'frances.allen@example.com' }).click()
  await page.getByRole('heading', { name: 'frances.allen@example.com' }).waitFor()
  await page.locator('main').getByRole('link', { name: 'People', exact: true }).click()
  await page.getByRole('heading', { name: 'on the list' }).waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('allen')
})

test('an export shows how many people have come, and a stop saves no file', async () => {
  const page = await openDesk('people')
  await page.route('**/desk/api/export', () => {}) // never answered
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Download' }).click()
  await dialog.getByText(/^0 of \d+ people have come\.$/).waitFor()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await dialog.getByText('Stopped. No file was saved.').waitFor()
})

test('an address that cannot be corrected to says so at its field', async () => {
  await signUp('mistyped@exmaple.com')
  await signUp('taken@example.com')
  const page = await openDesk('people')
  await page.getByRole('link', { name: 'mistyped@exmaple.com' }).click()
  await page.getByRole('button', { name: 'Correct the address' }).click()
  const field = page.getByRole('dialog').getByLabel('Address')
  await field.fill('taken@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('That address is on the list already.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
})

test('a person is erased after a confirmation', async () => {
  await signUp('erase.me@example.com')
  const page = await openDesk('people')
  await page.getByRole('link', { name: 'erase.me@example.com' }).click()
  await page.getByRole('button', { name: 'Erase this person' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Erase this person' }).click()
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await page.getByText(/^Erased\./).waitFor()
  await page.getByRole('heading', { name: 'on the list' }).waitFor()
  await page.getByRole('link', { name: 'erase.me@example.com' }).waitFor({ state: 'detached' })
})

test('a session that is over asks for a code over the view, and what was typed stays', async () => {
  const page = await openDesk('people')
  await shownHeading(page)
  await page.context().clearCookies()
  await page.getByRole('searchbox').fill('exam')
  const dialog = page.getByRole('dialog', { name: 'You were signed out' })
  await dialog.getByRole('button', { name: 'Send me a code' }).click()
  await typeCode(page, await mailedCode())
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('searchbox').inputValue()).toBe('exam')
})

test('an action that needs a fresh proof is done once a code is typed', async () => {
  const page = await askToEraseWithOldProof('erase.by.code@example.com')
  const dialog = page.getByRole('dialog', { name: 'First confirm that it is you' })
  await dialog.getByRole('button', { name: 'Send me a code' }).click()
  await typeCode(page, await mailedCode())
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
  await signUp(address)
  const page = await openDesk('people')
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
  await signUp(address)
  const page = await openDesk()
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
  const page = await openLetter()
  await page.getByRole('textbox', { name: 'Text' }).fill('It is **here**. <script>')
  const mail = page.frameLocator('iframe')
  await mail.locator('strong', { hasText: 'here' }).waitFor()
  await mail.getByRole('paragraph').filter({ hasText: '<script>' }).waitFor()
})

test('a letter is taken back after the tab was closed, and its draft is there again', async () => {
  const address = 'reader@example.com'
  await signUp(address)
  await journey.inbox.arrival(1, address)
  const page = await openLetter()
  await page.getByLabel('Subject').fill('News of the bot')
  await page.getByRole('textbox', { name: 'Text' }).fill('The second letter.')
  await page.getByRole('radio', { name: /^Everyone on the list/ }).check()
  const send = { name: /^Send to \d/ }
  await page.getByRole('button', send).click()
  await page.getByRole('dialog').getByRole('button', send).click()
  await page.getByRole('heading', { name: '“News of the bot” starts' }).waitFor()
  await page.close()
  const another = await openDesk('letters')
  await another.getByRole('button', { name: 'Take it back' }).click()
  await another.getByRole('link', { name: 'News of the bot' }).click()
  await another.getByText('The second letter.').first().waitFor()
  expect(journey.inbox.mails.filter(({ to }) => to.includes(address))).toHaveLength(1)
})

async function openLetter(): Promise<Page> {
  const page = await openDesk('letters')
  await page.getByRole('button', { name: 'New letter', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text' }).waitFor()
  return page
}

test('a file to import is sent once to be tried out, also if the window is left and seen again', async () => {
  const page = await openDesk('people/import')
  const calls = watchCalls(page)
  const buffer = Buffer.from('email\nimported@example.com\n')
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('heading', { name: '1 person would be added' }).waitFor()
  await setVisible(page, false)
  await setVisible(page, true)
  await calls.settled()
  expect(calls.names.filter((name) => name === 'import-file')).toHaveLength(1)
})

test('People is not drawn again while it rests', async () => {
  const page = await openDesk('people')
  await shownHeading(page)
  await page.waitForTimeout(1_500) // what was typed rests after half a second
  // Each drawing reads the choices of the view from the history.
  const drawings = await page.evaluate(async () => {
    let reads = 0
    const state = history.state
    Object.defineProperty(history, 'state', { get: () => ((reads += 1), state) })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    return reads
  })
  expect(drawings).toBeLessThanOrEqual(2) // a poll of the frame may come in between
})

test('once an import has ended, People lists whom it added', async () => {
  const page = await openDesk('people/import')
  const buffer = Buffer.from('email\nlater@example.com\n')
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer }
  await page.locator('input[type=file]').setInputFiles(file)
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

test('the desk breaks no rule of its own content security policy', async () => {
  const page = await journey.open()
  const complaints = complaintsOf(page)
  await signIn(page)
  for (const path of ['people', 'letters', 'check-up', 'you', 'what-they-get']) {
    await page.goto(`/desk/${path}`)
    await shownHeading(page)
  }
  expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})

const views = [
  '',
  'people',
  'mail',
  'letters',
  'check-up',
  'you',
  'what-they-get',
  'people/import',
  'nonsense',
]

test.each(views)(
  'axe finds no violation, and nothing scrolls sideways, at /desk/%s',
  async (path) => {
    await signUp('ada@example.com')
    const page = await openDesk(path)
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
  await signUp('ada@example.com')
  const page = await openDesk('people')
  await page.getByRole('link', { name: 'ada@example.com' }).click()
  await page.getByRole('button', { name: 'Correct the address' }).click()
  await page.getByRole('dialog').getByLabel('Address').waitFor()
  await check(page)
})

test('a line of an import that is refused does not scroll sideways, however long it is', async () => {
  const page = await openDesk('people/import')
  const buffer = Buffer.from(`email\n${'x'.repeat(127)}\n`)
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('heading', { name: '1 line is refused' }).waitFor()
  await check(page)
})

/** Wide and light, then narrow and dark. */
async function check(page: Page): Promise<void> {
  const looks = [
    { width: 1440, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await finishAnimations(page)
    expect(await violations(page), `${width} px`).toEqual([])
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrollWidth, `${width} px`).toBe(width)
  }
}

async function shownHeading(page: Page): Promise<void> {
  await page.locator('main h1:not([aria-busy=true])').waitFor()
}

/** As if the owner left the tab, or came back to it. */
async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    },
    isVisible ? 'visible' : 'hidden',
  )
}
