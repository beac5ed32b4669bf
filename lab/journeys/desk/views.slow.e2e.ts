import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { check, deskOf, setVisible, shownHeading, watchCalls } from './desk-journey.ts'
import { hydrate, startJourney } from '../journey.ts'

const journey = startJourney()
const desk = deskOf(journey)

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

test('an address of the desk that is no view says so, also one that every object has a property of', async () => {
  const page = await desk.openDesk('nonsense')
  for (const path of ['constructor', '__proto__', 'people/0', 'page/toString']) {
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
  const bounced = database.prepare(
    `insert into daily_counts values (?, 'bounced', '', 100000)
     on conflict (day, event, detail) do update set count = excluded.count`,
  )
  bounced.run(day) // another file's mail may have bounced
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
  await page.getByRole('heading', { name: /on your list|to hear more/ }).waitFor()
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

test('the other views ask once, and not again by themselves', async () => {
  const page = await journey.open()
  await page.clock.install()
  await desk.signIn(page)
  for (const path of ['people', 'mail', 'letters', 'check-up', 'you']) {
    const calls = watchCalls(page)
    await page.goto(`/desk/${path}`)
    await shownHeading(page)
    await calls.settled()
    calls.names.length = 0
    await page.clock.fastForward(5 * 60_000)
    await setVisible(page, true)
    await calls.settled()
    expect(calls.names, path).toEqual([])
  }
})

/** In an order in which each has a link to the next. */
const views = ['', '/people', '/people/import', '/mail', '/letters', '/check-up', '/you']

test('axe finds no violation in any view, and nothing scrolls sideways', async () => {
  await desk.signUp('ada@example.com')
  const page = await desk.openDesk('nonsense')
  await shownHeading(page)
  await check(page)
  for (const path of views) {
    await page.locator(`a[href="/desk${path}"]`).first().click()
    await page.waitForURL(`**/desk${path}`)
    await shownHeading(page)
    await check(page)
  }
})
