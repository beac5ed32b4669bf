import { randomInt } from 'node:crypto'
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { openForTest, makeTemporaryDatabase, testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { functionPath, type TestApp, type TestAppOptions, testApp } from '#rigs/server/test-app.ts'
import { listIn, minuteMs, start } from '#rigs/server/test-list.ts'
import { leaveTheList } from '../subscribers/leave-the-list.ts'
import type { SendOutcome } from '../transports/mailer.ts'

/** One address of each kind that HIDE_ALREADY_EXISTS must not tell apart. */
const kinds = {
  unknown: 'unknown@example.com',
  known: 'known@example.com',
  unsubscribed: 'unsubscribed@example.com',
  limited: 'limited@example.com',
  'known and limited': 'limited+1@example.com',
}
const listed = [
  'known@example.com',
  'unsubscribed@example.com',
  'limited+1@example.com',
  'limited+2@example.com',
]

test('with HIDE_ALREADY_EXISTS every kind of address gets the same answer', async () => {
  const app = await appWithEachKind()
  const answers = []
  for (const email of Object.values(kinds)) answers.push(await seen(await app.signUp(email)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 200 })
  expect(JSON.parse(answers[0]!.body)).toMatchObject({
    success: true,
    alreadyExists: false,
    receipt: 'RECEIPT',
  })
})

test('with HIDE_ALREADY_EXISTS every kind of address gets the same page', async () => {
  const app = await appWithEachKind()
  const answers = []
  for (const email of Object.values(kinds)) {
    const body = new URLSearchParams({ email })
    const { status, body: html } = await seen(await fetch(app.url + functionPath, { method: 'POST', body }))
    answers.push({ status, html: html.replace(email, 'ADDRESS') })
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]!.html).toContain('<h1>result-sent</h1> ADDRESS')
})

test('with HIDE_ALREADY_EXISTS an address above its ceiling gets no mail', async () => {
  const app = await appWithEachKind()
  const count = () => app.database.query.selectFrom('deliveries').select('id').execute()
  const before = await count()
  await app.signUp(kinds.limited)
  await app.signUp(kinds['known and limited'])
  expect(await count()).toHaveLength(before.length)
  const all = await app.database.query.selectFrom('subscribers').select('identity').execute()
  expect(all.map(({ identity }) => identity).toSorted()).toEqual(listed.toSorted())
})

test.skipIf(testsRunOnPostgres)(
  'with HIDE_ALREADY_EXISTS every kind of address takes the same statements and writes as much to disk',
  async () => {
    const { file, url, remove } = await makeTemporaryDatabase()
    onTestFinished(remove)
    const database = await openForTest(url)
    let statements = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => ((statements += 1), node),
      transformResult: async ({ result }) => result,
    }
    const counted = { ...database, query: database.query.withPlugin(counting) }
    const list = await listIn(counted, { hideAlreadyExists: true, mailsPerAddressADay: 2 })
    for (const email of listed) await list.signUp(email)
    await leaveTheList(database, await list.idOf(kinds.unsubscribed), 'unsubscribed', start)
    const logBytes = () => statSync(`${file}-wal`).size

    const work: Record<string, { statements: number; pages: number }> = {}
    for (const [kind, email] of Object.entries(kinds)) {
      await database.runScript('pragma wal_checkpoint(truncate)')
      statements = 0
      await list.signUp(email, minuteMs)
      work[kind] = { statements, pages: Math.floor(logBytes() / 4096) }
    }
    expect(new Set(Object.values(work).map((one) => one.statements)).size, JSON.stringify(work)).toBe(1)
    const pages = Object.values(work).map((one) => one.pages)
    expect(Math.max(...pages) - Math.min(...pages), JSON.stringify(work)).toBeLessThanOrEqual(1)
    expect(Math.min(...pages)).toBeGreaterThan(0)
  },
)

test('with HIDE_ALREADY_EXISTS and an uneven relay 20 sign-ups of each kind turn slow at the same ages', async () => {
  const app = await appWithEachKind({ signUpsPerNetworkIn10Minutes: 1_000 })
  answerAfter(app, () => randomInt(20), accepted)
  const agesOf = async (kind: string, email: string) => {
    const ages: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const address = kind === 'unknown' ? `${round}.${email}` : email
      const { receipt }: { receipt: string } = await (await app.signUp(address)).json()
      ages.push(await ageWhenSlow(app, receipt))
    }
    return ages
  }
  const ages: number[][] = []
  for (const [kind, email] of Object.entries(kinds)) ages.push(await agesOf(kind, email))
  expect(ages).toEqual(ages.map(() => Array.from({ length: 20 }, () => 8)))
})

/** Returns the first age of the receipt, in whole seconds, at which it reads `slow`. */
async function ageWhenSlow(app: TestApp, receipt: string): Promise<number> {
  for (let age = 0; age < 30; age += 1) {
    const { state }: { state: string } = await (await fetch(`${app.url}/receipts/${receipt}`)).json()
    if (state !== 'waiting') return state === 'slow' ? age : Number.NaN
    app.clock.advance(1_000)
  }
  return Infinity
}

/** Each kind of address signs up alone, so that the instance learns of the relay from its mail at the earliest. */
const relays: [name: string, takesMs: () => number, SendOutcome, TestAppOptions['config']?][] = [
  ['a quick relay', () => 0, accepted],
  ['an uneven relay', () => randomInt(400), accepted],
  ['a relay that has just gone away', () => 0, relayAway],
  ['a relay that does not answer', () => 1_000, relayAway],
  ['a relay that refuses the mailbox', () => 0, permanent],
  ['a relay that defers the mailbox', () => 0, temporary],
  [
    'a relay that is quick, and a busy network in an hour that is nearly full',
    () => 0,
    accepted,
    nearlyFull(),
  ],
]

test.each(relays)(
  'with HIDE_ALREADY_EXISTS and %s every kind of address reads the same states at the same ages',
  async (_, takesMs, outcome, config) => {
    const statesOf = async (email: string) => {
      const app = await appWithEachKind(config)
      answerAfter(app, takesMs, outcome)
      const { receipt }: { receipt: string } = await (await app.signUp(email)).json()
      await sleep(50)
      const states: unknown[] = []
      for (const seconds of [0, 2, 2, 5, 6, 45, 240]) {
        app.clock.advance(seconds * 1_000)
        states.push(await (await fetch(`${app.url}/receipts/${receipt}`)).json())
      }
      return states
    }
    const seenStates = await Promise.all(Object.values(kinds).map(statesOf))
    const states = ['waiting', 'waiting', 'waiting', 'slow', 'slow', 'slow', 'slow']
    const expected = states.map((state) => ({ state, handedOverAt: null, allMailIsSlow: false }))
    seenStates.forEach((one, place) => expect(one, Object.keys(kinds)[place]).toEqual(expected))
  },
)

/** The clock moves on by what the relay takes. */
function answerAfter({ mailer, clock }: TestApp, takesMs: () => number, outcome: SendOutcome): void {
  mailer.answer(async () => {
    const ms = takesMs()
    await sleep(ms)
    clock.advance(ms)
    return outcome
  })
}

/** Mail of a network that has signed up before may take two of its mails at first. */
function nearlyFull(): TestAppOptions['config'] {
  return { siteMailsPerHour: 8, signUpsPerNetworkIn10Minutes: 1_000 }
}

/** With a clock that only the test moves: ages are read from it, and a busy machine takes its time. */
async function appWithEachKind(config: TestAppOptions['config'] = {}): Promise<TestApp> {
  let time = Date.now()
  const clock = { now: () => time, advance: (ms: number) => void (time += ms) }
  const hiding = { hideAlreadyExists: true, mailsPerAddressADay: 2, ...config }
  const app = { ...(await testApp({ config: hiding, parts: { now: clock.now } })), clock }
  for (const email of listed) {
    await app.signUp(email)
    clock.advance(1_000) // mail makes way for sign-ups until then
  }
  const states = () => app.database.query.selectFrom('deliveries').select('state').execute()
  const leaving = config.siteMailsPerHour === undefined ? listed.length : 3
  await expect.poll(async () => (await states()).filter(({ state }) => state === 'sent').length).toBe(leaving)
  const { id } = await app.database.query
    .selectFrom('subscribers')
    .select('id')
    .where('identity', '=', kinds.unsubscribed)
    .executeTakeFirstOrThrow()
  await leaveTheList(app.database, id, 'unsubscribed', clock.now())
  return app
}

async function seen(answer: Response) {
  const headers = Object.fromEntries(answer.headers)
  delete headers['date']
  const body = (await answer.text()).replace(/[\w-]{22}(?=")/, 'RECEIPT')
  return { status: answer.status, headers, body }
}
