import { expect, test, vi } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { type TestApp, type TestAppOptions, testApp } from '#rigs/server/test-app.ts'
import type { SendOutcome } from '../transports/mailer.ts'
import { eraseSubscribers } from '../subscribers/erase-subscribers.ts'

const minuteMs = 60_000

async function receiptOf(app: TestApp, email: string): Promise<string> {
  const { receipt }: { receipt: string } = await (await app.signUp(email)).json()
  return receipt
}

async function read(app: TestApp, receipt: string) {
  const answer = await fetch(`${app.url}/receipts/${receipt}`)
  expect(answer.status).toBe(200)
  return answer.json()
}

const untilSent = (app: TestApp, receipt: string) =>
  expect.poll(() => read(app, receipt)).toMatchObject({ state: 'handed-over' })

async function appThatAnswers(outcome: SendOutcome, options: TestAppOptions = {}) {
  const app = await testApp(options)
  app.mailer.answer(() => outcome)
  return app
}

test('a receipt shows when the mail was handed over, on any instance and after a restart', async () => {
  const app = await testApp()
  const receipt = await receiptOf(app, 'ana@example.com')
  await untilSent(app, receipt)
  const { handedOverAt, ...rest } = await read(app, receipt)
  expect(rest).toEqual({ state: 'handed-over', allMailIsSlow: false })
  const { finished_at } = await app.database.query
    .selectFrom('deliveries')
    .select('finished_at')
    .executeTakeFirstOrThrow()
  expect(handedOverAt).toBe(new Date(finished_at!).toISOString())
  const other = await testApp({ databaseUrl: app.databaseUrl })
  expect(await read(other, receipt)).toMatchObject({ state: 'handed-over', handedOverAt })
})

test.each<[string, SendOutcome]>([
  ['a mailbox that does not exist', permanent],
  ['a server that defers us', temporary],
  ['a relay that is away', relayAway],
])('%s reads as waiting, and as slow from 8 s on', async (_, outcome) => {
  const app = await appThatAnswers(outcome)
  const receipt = await receiptOf(app, 'ana@example.com')
  await expect.poll(() => app.mailer.attempts.length).toBeGreaterThan(0)
  expect(await read(app, receipt)).toEqual({ state: 'waiting', handedOverAt: null, allMailIsSlow: false })
  app.clock.advance(8_000)
  expect(await read(app, receipt)).toEqual({ state: 'slow', handedOverAt: null, allMailIsSlow: false })
})

test('the receipt of a repeated sign-up shows when the first mail was handed over', async () => {
  const app = await testApp()
  await untilSent(app, await receiptOf(app, 'ana@example.com'))
  app.clock.advance(4 * minuteMs)
  const again = await receiptOf(app, 'ana@example.com')
  const { handedOverAt } = await read(app, again)
  expect(Date.parse(handedOverAt)).toBeLessThan(app.clock.now() - 3 * minuteMs)
})

test('the receipt of a first mail says nothing about the second', async () => {
  const app = await appThatAnswers(temporary, { config: { resendAfterSeconds: 60, retrySeconds: [10] } })
  const first = await receiptOf(app, 'ana@example.com')
  await expect.poll(() => app.mailer.attempts).toHaveLength(1)
  await app.database.query.updateTable('deliveries').set({ state: 'cancelled' }).execute()
  app.mailer.answer(() => accepted)
  app.clock.advance(2 * minuteMs)
  const second = await receiptOf(app, 'ana@example.com')
  await untilSent(app, second)
  expect(await read(app, first)).toMatchObject({ state: 'slow', handedOverAt: null })
})

test('an expired receipt and a guessed one answer 404, in JSON or as a page', async () => {
  const app = await testApp()
  const receipt = await receiptOf(app, 'ana@example.com')
  app.clock.advance(29 * minuteMs)
  await read(app, receipt)
  app.clock.advance(minuteMs + 1)
  for (const text of [receipt, 'AAAAAAAAAAAAAAAAAAAAAA', '', 'x', `${receipt}/x`]) {
    const answer = await fetch(`${app.url}/receipts/${text}`, { headers: { origin: app.url } })
    expect(answer.status, text).toBe(404)
    expect(answer.headers.get('access-control-allow-origin')).toBe(app.url)
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
    const page = await fetch(`${app.url}/receipts/${text}`, { headers: { accept: 'text/html' } })
    expect(page.status, text).toBe(404)
    expect(page.headers.get('content-type')).toContain('text/html')
  }
})

test('a receipt is neither cached nor logged, and only scripts of allowed origins can read its answer', async () => {
  const app = await testApp({ config: { allowedOrigins: ['https://www.bot.example'] } })
  const receipt = await receiptOf(app, 'ana@example.com')
  const ask = (origin: string) => fetch(`${app.url}/receipts/${receipt}`, { headers: { origin } })
  const allowed = (await ask('https://www.bot.example')).headers
  expect(allowed.get('cache-control')).toBe('no-store')
  expect(allowed.get('access-control-allow-origin')).toBe('https://www.bot.example')
  expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
  expect((await fetch(`${app.url}/receipts/${receipt}`, { method: 'POST' })).status).toBe(404)
  expect(app.log()).not.toContain(receipt)
})

test('a receipt shows that all mail is stuck', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const app = await appThatAnswers(relayAway)
  await receiptOf(app, 'first@example.com')
  await vi.advanceTimersByTimeAsync(30_000)
  app.clock.advance(6 * minuteMs)
  await vi.advanceTimersByTimeAsync(30_000)
  vi.useRealTimers()
  const receipt = await receiptOf(app, 'ana@example.com')
  await expect.poll(() => read(app, receipt)).toMatchObject({ allMailIsSlow: true })
})

test('the receipt of an erased subscriber reads the same as that of a slow mail', async () => {
  const app = await testApp()
  const receipt = await receiptOf(app, 'ana@example.com')
  await untilSent(app, receipt)
  const { id } = await app.database.query.selectFrom('subscribers').select('id').executeTakeFirstOrThrow()
  await eraseSubscribers(app.database, [id], app.clock.now())
  expect(await read(app, receipt)).toMatchObject({ state: 'waiting', handedOverAt: null })
})

const readAsPage = async (app: TestApp, receipt: string) =>
  (await fetch(`${app.url}/receipts/${receipt}`, { headers: { accept: 'text/html,*/*;q=0.8' } })).text()

test('a browser without JavaScript gets the receipt as a page, in the words of the note', async () => {
  const app = await appThatAnswers(permanent)
  const receipt = await receiptOf(app, 'ana@example.com')
  expect(await readAsPage(app, receipt)).toContain(`"${receipt}" wait On its way Mail usually leaves`)
  app.clock.advance(8_000)
  expect(await readAsPage(app, receipt)).toContain('wait Slower than usual')
  app.clock.advance(22_000)
  const page = await readAsPage(app, receipt)
  expect(page).toContain('wait Not taken yet It has not been taken yet. Is the address spelled right?')
  expect(page).not.toContain('ana@')
})

test('the page of a receipt shows the time in UTC', async () => {
  const app = await testApp()
  const receipt = await receiptOf(app, 'ana@example.com')
  await untilSent(app, receipt)
  const time = (await read(app, receipt)).handedOverAt.slice(11, 16)
  const words = `The email for the address you gave left us at ${time} UTC. Look for “Your free bot: script and setup guide”, also in spam.`
  expect(await readAsPage(app, receipt)).toContain(`${time} Handed over ${words}`)
})

test('with HIDE_ALREADY_EXISTS the page of a receipt says only what holds for every address', async () => {
  const app = await testApp({ config: { hideAlreadyExists: true } })
  const receipt = await receiptOf(app, 'ana@example.com')
  const states = () => app.database.query.selectFrom('deliveries').select('state').execute()
  await expect.poll(() => states()).toEqual([{ state: 'sent' }])
  app.clock.advance(30_000)
  expect(await readAsPage(app, receipt)).toContain(
    'wait Look in your inbox If an email is due to the address you gave, it is on its way.',
  )
})
