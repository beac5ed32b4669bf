import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { accepted, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { type TestApp, type TestAppOptions, testApp } from '#rigs/server/test-app.ts'
import { markAskedAgain } from '../subscribers/subscribers.ts'

async function signUp(app: TestApp, email: string, corrects?: string) {
  const answer = await app.signUp(email, corrects === undefined ? {} : { 'x-corrects-receipt': corrects })
  const { receipt = '', firstMail }: { receipt?: string; firstMail?: string | null } = await answer.json()
  return { status: answer.status, receipt, firstMail }
}

const appOf = (config: TestAppOptions['config'] = {}) =>
  testApp({ config: { retrySeconds: [60], ...config } })

/** Its first mail is tried once, and waits. */
async function waitingSignUp(app: TestApp, email = 'ana@gmial.com') {
  app.mailer.answer(() => relayAway)
  const { receipt } = await signUp(app, email)
  await expect.poll(() => deliveries(app)).toEqual([{ address: email, state: 'queued', failures: 1 }])
  return receipt
}

const deliveries = ({ database }: TestApp) =>
  database.query
    .selectFrom('deliveries')
    .innerJoin('subscribers', 'subscribers.id', 'subscriber')
    .select(['address', 'deliveries.state', 'failures'])
    .orderBy('deliveries.id')
    .execute()

async function stateOf({ database }: TestApp, identity: string) {
  const rows = database.query.selectFrom('subscribers').select('state').where('identity', '=', identity)
  return (await rows.executeTakeFirst())?.state
}

test('a correction cancels the first mail while it is queued, and takes its address off the list again', async () => {
  const app = await appOf()
  const receipt = await waitingSignUp(app)
  const corrected = await signUp(app, 'ana@gmail.com', receipt)
  expect(corrected).toMatchObject({ status: 200, firstMail: 'cancelled' })
  expect(await stateOf(app, 'ana@gmial.com')).toBe('unsubscribed')
  app.mailer.answer(() => accepted)
  app.clock.advance(120_000)
  await expect
    .poll(async () => (await deliveries(app))[1])
    .toMatchObject({ address: 'ana@gmail.com', state: 'sent' })
  expect((await deliveries(app))[0]).toMatchObject({ address: 'ana@gmial.com', state: 'cancelled' })
  expect(await app.countsAtStop()).toMatchObject({ 'signed-up program': 2, unsubscribed: 1 })
})

test('a correction does not cancel a mail that was sent, and its address stays on the list', async () => {
  const app = await appOf()
  const { receipt } = await signUp(app, 'ana@gmial.com')
  await expect.poll(async () => (await deliveries(app))[0]!.state).toBe('sent')
  expect(await signUp(app, 'ana@gmail.com', receipt)).toMatchObject({ status: 200, firstMail: 'left' })
  expect(await stateOf(app, 'ana@gmial.com')).toBe('active')
})

test('a receipt can be used for one correction only, also by two concurrent requests or on another instance', async () => {
  const app = await appOf()
  const other = await testApp({ databaseUrl: app.databaseUrl, mailer: app.mailer })
  const receipt = await waitingSignUp(app)
  const asked = await Promise.all(['a@x.example', 'b@x.example'].map((email) => signUp(app, email, receipt)))
  expect(new Set(asked.map(({ firstMail }) => firstMail))).toEqual(new Set(['cancelled', null]))
  expect(await signUp(other, 'c@x.example', receipt)).toMatchObject({ status: 200, firstMail: null })
})

test('a correction does not count against the limit of the network, but a correction of a correction does', async () => {
  const app = await appOf({ signUpsPerNetworkIn10Minutes: 1 })
  const receipt = await waitingSignUp(app)
  expect(await signUp(app, 'other@x.example')).toMatchObject({ status: 429 })
  const corrected = await signUp(app, 'ana@gmail.com', receipt)
  expect(corrected).toMatchObject({ status: 200, firstMail: 'cancelled' })
  expect(await signUp(app, 'anna@gmail.com', corrected.receipt)).toMatchObject({ status: 429 })
  expect(await signUp(app, 'anna@gmail.com', receipt)).toMatchObject({ status: 429 })
})

test('only the receipt of the sign-up that caused a mail can cancel it', async () => {
  const app = await appOf()
  await waitingSignUp(app)
  const stranger = await signUp(app, 'ana@gmial.com')
  for (const receipt of [stranger.receipt, 'AAAAAAAAAAAAAAAAAAAAAA', ''])
    expect(await signUp(app, `x${receipt.length}@x.example`, receipt)).toMatchObject({
      status: 200,
      firstMail: null,
    })
  expect((await deliveries(app))[0]).toMatchObject({ state: 'queued' })
})

test('a subscriber stays on the list when a correction cancels a resent mail', async () => {
  const app = await appOf({ resendAfterSeconds: 60 })
  await signUp(app, 'ana@example.com')
  await expect.poll(async () => (await deliveries(app))[0]!.state).toBe('sent')
  app.clock.advance(61_000)
  app.mailer.answer(() => relayAway)
  const { receipt } = await signUp(app, 'ana@example.com')
  await expect.poll(async () => (await deliveries(app))[1]).toMatchObject({ state: 'queued', failures: 1 })
  expect(await signUp(app, 'anna@example.com', receipt)).toMatchObject({ firstMail: 'cancelled' })
  expect(await stateOf(app, 'ana@example.com')).toBe('active')
})

test('a refused correction does not cancel the first mail, and can be repeated', async () => {
  const app = await appOf({ mailsPerAddressADay: 1 })
  const receipt = await waitingSignUp(app)
  await signUp(app, 'bob+1@example.com')
  expect(await signUp(app, 'bob@example.com', receipt)).toMatchObject({ status: 429 })
  expect((await deliveries(app))[0]).toMatchObject({ state: 'queued' })
  expect(await signUp(app, 'ana@gmail.com', receipt)).toMatchObject({ status: 200, firstMail: 'cancelled' })
})

test('an expired receipt corrects nothing', async () => {
  const app = await appOf()
  const receipt = await waitingSignUp(app)
  app.clock.advance(31 * 60_000)
  expect(await signUp(app, 'ana@gmail.com', receipt)).toMatchObject({ status: 200, firstMail: null })
})

test('with HIDE_ALREADY_EXISTS a correction does not report the first mail, and no network limit counts it', async () => {
  const app = await appOf({ hideAlreadyExists: true, signUpsPerNetworkIn10Minutes: 2 })
  const receipt = await waitingSignUp(app)
  expect(await signUp(app, 'b@x.example', receipt)).toMatchObject({ status: 200, firstMail: null })
  expect((await deliveries(app))[0]).toMatchObject({ state: 'cancelled' })
  const known = await signUp(app, 'b@x.example')
  expect(await signUp(app, 'a@x.example', known.receipt)).toMatchObject({ status: 200, firstMail: null })
  expect((await deliveries(app))[1]).toMatchObject({ state: 'queued' })
})

test('a correction to the same address in another spelling keeps its mail and its place on the list', async () => {
  const app = await appOf()
  const receipt = await waitingSignUp(app, 'Ana@gmail.com')
  expect(await signUp(app, 'ana@GMAIL.com', receipt)).toMatchObject({ status: 200, firstMail: null })
  expect(await stateOf(app, 'ana@gmail.com')).toBe('active')
  expect(await deliveries(app)).toMatchObject([{ state: 'queued' }])
})

test('a correction does not cancel the mail of an address that somebody else has signed up since', async () => {
  const app = await appOf()
  const receipt = await waitingSignUp(app)
  expect(await signUp(app, 'ana@gmial.com')).toMatchObject({ status: 200 })
  expect(await signUp(app, 'ana@gmail.com', receipt)).toMatchObject({ status: 200, firstMail: null })
  expect(await stateOf(app, 'ana@gmial.com')).toBe('active')
  expect((await deliveries(app))[0]).toMatchObject({ address: 'ana@gmial.com', state: 'queued' })
})

test('a correction does not cancel the mail of an address that two people signed up at the same moment', async () => {
  const app = await appOf({ retrySeconds: [60] })
  app.mailer.answer(() => relayAway)
  const both = await Promise.all(['ana@gmial.com', 'Ana@gmial.com'].map((email) => signUp(app, email)))
  await expect.poll(() => deliveries(app)).toMatchObject([{ failures: 1 }])
  for (const [index, { receipt }] of both.entries())
    expect(await signUp(app, `x${index}@x.example`, receipt)).toMatchObject({ status: 200, firstMail: null })
  expect(await stateOf(app, 'ana@gmial.com')).toBe('active')
})

test('a correction does not cancel a mail that a sign-up of another instance is asking for at the same moment', async () => {
  const app = await appOf()
  const receipt = await waitingSignUp(app)
  let correction: ReturnType<typeof signUp> | undefined
  await app.database.query.transaction().execute(async (transaction) => {
    await markAskedAgain(transaction, ['ana@gmial.com'])
    correction = signUp(app, 'ana@gmail.com', receipt)
    await sleep(100) // enough for it to cancel the mail
  })
  expect(await correction).toMatchObject({ status: 200, firstMail: null })
  expect((await deliveries(app))[0]).toMatchObject({ state: 'queued' })
})

test('with HIDE_ALREADY_EXISTS a correction to an inbox at its ceiling has the same effects, on the list or not', async () => {
  const app = await appOf({
    hideAlreadyExists: true,
    mailsPerAddressADay: 1,
    signUpsPerNetworkIn10Minutes: 4,
  })
  await signUp(app, 'listed@example.com')
  await signUp(app, 'bob+1@example.com')
  const effects = async (email: string) => {
    await app.database.query.deleteFrom('limit_windows').execute()
    app.mailer.answer(() => temporary)
    const wrong = `wrong-for-${email}`
    const { receipt } = await signUp(app, wrong)
    const waiting = { address: wrong, state: 'queued', failures: 1 } // until then it may be on its way
    await expect.poll(() => deliveries(app)).toContainEqual(waiting)
    const corrected = await signUp(app, email, receipt)
    const first = await stateOf(app, wrong)
    for (let own = 0; own < 3; own += 1) await signUp(app, `${own}-${email}`)
    return { corrected: corrected.status, first, reused: (await signUp(app, `new-${email}`, receipt)).status }
  }
  expect(await effects('bob@example.com')).toEqual(await effects('listed@example.com'))
})
