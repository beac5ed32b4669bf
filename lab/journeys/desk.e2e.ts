import { DatabaseSync } from 'node:sqlite'
import type { Locator, Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { signUpPath } from '#contract/sign-up.ts'
import { ownerOf } from '#rigs/owner/owner-terminal.ts'
import { complaintsOf, finishAnimations, hydrate, startJourney, violations } from './journey.ts'

const owner = 'owner@example.com'
const journey = startJourney({ OWNER_EMAIL: owner })

/** The newest code that was mailed after `before` others. */
async function mailedCode(before: number): Promise<string> {
  const codes = async () => {
    const mails = journey.inbox.mails.filter(({ to }) => to.includes(owner))
    const texts = await Promise.all(
      mails.map(async ({ raw }) => (await PostalMime.parse(raw)).text ?? ''),
    )
    return texts.flatMap((text) => /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? [])
  }
  await expect.poll(async () => (await codes()).length).toBeGreaterThan(before)
  return (await codes())[before]!
}

let codes = 0
let cookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>> = []

/** By a code the first time; later in a browser that is signed in. */
async function signIn(page: Page): Promise<void> {
  await page.context().addCookies(cookies)
  await page.goto('/desk')
  if (cookies.length === 0) {
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await typeCode(page, await mailedCode(codes++))
  }
  await page.getByRole('link', { name: 'Today' }).waitFor()
  cookies = await page.context().cookies()
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.locator('input[autocomplete=one-time-code]').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('the owner signs in by a mailed code, and out; desk and landing page load nothing of each other', async () => {
  const page = await journey.open()
  const complaints = complaintsOf(page)
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await page.goto('/desk/people')
  await page.getByRole('button', { name: 'Send me a code' }).click()
  const code = await mailedCode(codes++)
  await page.locator('input[autocomplete=one-time-code]:focus').waitFor()
  await typeCode(page, '') // sends nothing, and costs no try
  await typeCode(page, code === '0000 0000' ? '11111111' : '00000000')
  await page.getByText('That code is not right. 4 tries left.').waitFor()
  expect(paths.filter((path) => path.endsWith('/signIn.byCode'))).toHaveLength(1)
  await typeCode(page, code)
  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByRole('heading', { name: owner }).waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
  expect(complaints.filter((text) => !text.includes('Failed to load resource'))).toEqual([])
  const others = paths.filter((path) => !path.startsWith('/desk'))
  expect(others.filter((path) => !/woff2|favicon/.test(path))).toEqual([])
  paths.length = 0
  await page.goto('/')
  await hydrate(page)
  expect(paths.filter((path) => path.startsWith('/desk'))).toEqual([])
})

test('Today says that all is well, and keeps its figures while the database is away', async () => {
  const page = await journey.open()
  await signIn(page)
  await page.getByRole('heading', { name: 'All is well.' }).waitFor()
  await page.getByText('A plot of sign-ups by day stands here').waitFor()
  await page.getByLabel('Make a link for a campaign').fill(' My video: 2')
  await page.getByText('/?utm_source=my-video-2').waitFor()
  const data = { code: 'SERVICE_UNAVAILABLE', httpStatus: 503 }
  const error = { error: { message: 'The database does not answer.', code: -32_000, data } }
  await page.route('**/desk/api/today.show*', (route) =>
    route.fulfill({ status: 503, json: error }),
  )
  await lookAgainUntil(page.getByRole('heading', { name: 'The database does not answer.' }))
  await page.getByText('Out of date').waitFor()
  await page.getByRole('heading', { name: 'Sources' }).waitFor()
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
  await page.getByRole('dialog').getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByRole('button', { name: /^Remove: / }).waitFor()
  await page.context().clearCookies()
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
})

test('following a link of desk-link does not use it up, and its button signs in once', async () => {
  const settings = { OWNER_EMAIL: owner, PUBLIC_URL: journey.product.url }
  const { printed } = await ownerOf(`file:${journey.product.databaseFile}`, settings, {
    now: Date.now,
  })('desk-link')
  const link = printed.trim()
  for (const method of ['HEAD', 'GET', 'GET']) {
    expect((await fetch(link, { method })).status).toBe(200)
  }
  const page = await journey.open()
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
  const another = await journey.open()
  await another.goto(link)
  await another.route('**/desk/api/signIn.byLink', (route) => route.abort())
  await another.getByRole('button', { name: 'Sign in' }).click()
  await another.getByText('The server cannot be reached.').waitFor()
  await another.unroute('**/desk/api/signIn.byLink')
  await another.getByRole('button', { name: 'Sign in' }).click()
  await another
    .getByText('This link was used, or is older than 5 minutes. Make another one.')
    .waitFor()
})

test('a person is found by a part of the address, which gets into no URL, and erased after a confirmation', async () => {
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
  // A screen reader is told who it is, not that the view is loading.
  await page.locator('h1:focus', { hasText: 'grace.hopper@example.com' }).waitFor()
  await page.getByRole('button', { name: 'Erase this person' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Erase this person' }).click()
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await page.getByText(/^Erased\./).waitFor()
  await page.getByRole('heading', { name: 'Nobody found' }).waitFor()
  expect(urls.filter((url) => /hopper/i.test(url))).toEqual([])
})

test('a session that is over asks for a code over the view, and what was typed stays', async () => {
  const page = await journey.open()
  await signIn(page)
  await page.getByRole('link', { name: 'People' }).click()
  const searched = page.waitForResponse(
    (answer) => !!answer.request().postData()?.includes('"exa"'),
  )
  await page.getByRole('searchbox').fill('exa')
  await searched
  await page.context().clearCookies()
  await page.getByRole('searchbox').fill('exam')
  const dialog = page.getByRole('dialog', { name: 'You were signed out' })
  await dialog.getByRole('button', { name: 'Send me a code' }).click()
  await typeCode(page, await mailedCode(codes++))
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('searchbox').inputValue()).toBe('exam')
})

test('an act that needs a fresh proof is dropped when its view is left, and done once a code is typed', async () => {
  await signUp('erase.me@example.com')
  const page = await journey.open()
  await signIn(page)
  const database = new DatabaseSync(journey.product.databaseFile, { timeout: 5_000 })
  database.exec(`update desk_sessions set signed_in_at = signed_in_at - ${16 * 60_000}`)
  database.close()
  await page.getByRole('link', { name: 'People' }).click()
  const dialog = page.getByRole('dialog', { name: 'First confirm that it is you' })
  const erase = async () => {
    await page.getByRole('link', { name: 'erase.me@example.com' }).click()
    await page.getByRole('button', { name: 'Erase this person' }).dblclick()
    await page.getByRole('button', { name: 'Erase for good' }).dblclick()
    await dialog.waitFor()
  }
  await erase()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await erase()
  await dialog.getByRole('button', { name: 'Send me a code' }).click()
  await typeCode(page, await mailedCode(codes++))
  await page.getByText(/^Erased\./).waitFor()
  cookies = await page.context().cookies()
})

test('a failed mail is listed with its reason, and a double click retries it once', async () => {
  const address = 'full.box@example.com'
  journey.inbox.behave((recipient) =>
    recipient === address ? { does: 'answer', code: 552, to: 'recipient' } : { does: 'accept' },
  )
  await signUp(address)
  const page = await journey.open()
  await signIn(page)
  await page.getByRole('link', { name: 'Mail' }).click()
  await page.getByText('Failed', { exact: true }).click()
  const retry = page.getByRole('button', { name: `Retry: ${address}` })
  await retry.waitFor()
  await page.getByText('The mailbox is full.').waitFor()
  journey.inbox.behave({ does: 'accept' })
  const retries: string[] = []
  page.on('request', (request) => retries.push(...(/mail\.retry/.exec(request.url()) ?? [])))
  await retry.dblclick()
  await journey.inbox.arrival(1, address)
  expect(retries).toHaveLength(1)
})

test('a letter is written, read as it arrives, started, and taken back after the tab was closed', async () => {
  const address = 'reader@example.com'
  await signUp(address)
  const page = await journey.open()
  await signIn(page)
  await page.getByRole('link', { name: 'Announce' }).click()
  await page.getByText('A letter').click()
  await page.getByLabel('Subject').fill('News of the bot')
  await page.getByRole('textbox', { name: 'Text' }).fill('It is **here**. <script>')
  const mail = page.frameLocator('iframe')
  await mail.locator('strong', { hasText: 'here' }).waitFor()
  await mail.getByRole('paragraph').filter({ hasText: '<script>' }).waitFor()
  await page.getByRole('radio', { name: /^Everyone on the list/ }).check()
  await page.getByRole('button', { name: /^Announce to \d/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Announce to \d/ })
    .click()
  await page.getByRole('button', { name: 'Take it back' }).waitFor()
  await page.close()
  const another = await journey.open()
  await signIn(another)
  await another.getByRole('link', { name: 'Announce' }).click()
  await another.getByRole('button', { name: 'Take it back' }).click()
  await another.getByText('A letter').click()
  await another.getByText('It is **here**. <script>').waitFor()
  expect(journey.inbox.mails.filter(({ to }) => to.includes(address))).toHaveLength(1)
})

test('axe finds no violation on any view, wide and light or narrow and dark', async () => {
  await signUp('ada@example.com')
  const page = await journey.open({ viewport: { width: 1440, height: 900 } })
  const complaints = complaintsOf(page)
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
  await check(page, 'sign-in')
  await signIn(page)
  for (const view of ['Today', 'People', 'Mail', 'Announce', 'Check-up', 'You']) {
    await page.getByRole('link', { name: view, exact: true }).click()
    await page.locator('main h1').filter({ hasNotText: '–' }).waitFor()
    await check(page, view)
  }
  for (const path of ['what-they-get', 'people/import']) {
    await page.goto(`/desk/${path}`)
    await page.locator('main h1').filter({ hasNotText: '–' }).waitFor()
    await check(page, path)
  }
  const buffer = Buffer.from(`email\n${'x'.repeat(127)}\n`)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByText('1 line is refused').waitFor()
  await check(page, 'a line that is refused')
  await page.getByRole('link', { name: 'People' }).first().click()
  await page.getByRole('link', { name: 'ada@example.com' }).click()
  await page.getByRole('button', { name: 'Correct the address' }).click()
  await check(page, 'person and dialog')
  expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})

async function check(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await finishAnimations(page)
    expect(await violations(page), `${name}, ${width} px`).toEqual([])
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrollWidth, `${name}, ${width} px`).toBe(width)
  }
}

/**
 * As if the owner came back from another window. Often: a request that is under way is not
 * repeated.
 */
async function lookAgainUntil(shown: Locator): Promise<void> {
  const look = () =>
    shown.page().evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(async () => (await look()) && (await shown.isVisible())).toBe(true)
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
