import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { challengePath } from '#contract/proof-of-work.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import { heroForm, hydrate, newAddress, signUp, startJourney } from './journey.ts'

const journey = startJourney()

beforeAll(() => setStorm('on'))

test('in a storm the browser starts the proof of work at the focus, and its mail goes first', async () => {
  const page = await journey.open()
  await page.addInitScript(() => (performance.now = () => 0)) // a slow machine gives up after 5 s
  await page.goto('/')
  await hydrate(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const address = newAddress()
  const { form } = heroForm(page)
  await form.getByRole('textbox').focus()
  await expect.poll(() => asked.some((path) => path.startsWith('/assets/prove-work-'))).toBe(true)
  await signUp(heroForm(page), address)
  await page.getByText(signUpText.toasts.sent.title).waitFor()
  expect(asked.filter((path) => path === challengePath)).toHaveLength(1)
  expect(laneOf(address)).toBe(0)
})

test('in a storm a visitor without JavaScript is not refused, and waits behind', async () => {
  const page = await journey.visit('/', { javaScriptEnabled: false })
  const address = newAddress()
  await signUp(heroForm(page), address)
  await page.getByRole('heading', { name: signUpText.toasts.sent.title }).waitFor()
  expect(laneOf(address)).toBe(2)
})

test('a page that gets no challenge signs up all the same', async () => {
  const page = await journey.visit('/')
  await page.route(`**${challengePath}`, (route) => route.abort())
  const address = newAddress()
  await signUp(heroForm(page), address)
  await page.getByText(signUpText.toasts.sent.title).waitFor()
  expect(laneOf(address)).toBe(2)
})

function inDatabase<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(journey.product.databaseFile, { timeout: 5_000 })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

function setStorm(mode: string): void {
  inDatabase((database) =>
    database.prepare(`insert or replace into settings values ('storm-mode', ?)`).run(mode),
  )
}

function laneOf(address: string): unknown {
  const found = `select lane from deliveries where subscriber = (select id from subscribers where address = ?)`
  return inDatabase((database) => database.prepare(found).get(address)?.['lane'])
}
