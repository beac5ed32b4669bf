import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { makeTestDeliveries, minuteMs } from '#rigs/server/test-deliveries.ts'
import { readDailyCounts } from '../statistics/daily-counts.ts'
import { type DeliveryDeps, mailQueue } from './mail-queue.ts'
import { Worker } from './worker.ts'

const soon = { timeout: 30_000, interval: 10 }
/** A worker that is not woken claims after 5 s. */
const beforeItPolls = { timeout: 4_000, interval: 10 }

test('the worker sends what is queued at its start, and more when it is woken', async () => {
  const { deliveries, worker } = await runningDeliveries({ queued: ['before@example.com'] })
  await vi.waitFor(() => expect(deliveries.mailer.addresses()).toEqual(['before@example.com']), soon)
  await deliveries.queue('after@example.com')
  worker.wake()
  await vi.waitFor(() => expect(deliveries.mailer.addresses()).toContain('after@example.com'), beforeItPolls)
})

test('many mails are sent once each, and no more at a time than allowed', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `n${index}@example.com`)
  let [atOnce, most] = [0, 0]
  const four = Promise.withResolvers<void>()
  const { deliveries } = await runningDeliveries({
    queued: names,
    async answer() {
      most = Math.max(most, (atOnce += 1))
      if (atOnce === 4) four.resolve()
      await four.promise
      await new Promise(setImmediate)
      atOnce -= 1
      return accepted
    },
  })
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(100), soon)
  await vi.waitFor(async () => expect(new Set(await deliveries.states())).toEqual(new Set(['sent'])), soon)
  expect(deliveries.mailer.addresses().toSorted()).toEqual(names.toSorted())
  expect(most).toBe(4)
})

test('a recipient whose mail is refused, postponed or unanswered does not hold up the others', async () => {
  const others = Array.from({ length: 60 }, (_, index) => `n${index}@example.com`)
  const mute = Promise.withResolvers<typeof accepted>()
  const { deliveries } = await runningDeliveries({
    queued: ['mute@example.com', 'refused@example.com', 'later@example.com', ...others],
    answer(address) {
      if (address.startsWith('mute')) return mute.promise
      if (address.startsWith('refused')) return permanent
      return address.startsWith('later') ? temporary : accepted
    },
  })
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(63), soon)
  await vi.waitFor(
    async () =>
      expect(await deliveries.states()).toEqual(['failed', 'queued', 'sending', ...others.map(() => 'sent')]),
    soon,
  )
  mute.resolve(accepted)
  await vi.waitFor(async () => expect(await deliveries.states()).not.toContain('sending'), soon)
})

test('while the relay is away one mail probes it and the others keep their retries; then all are sent', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `n${index}@example.com`)
  let isAway = true
  const { deliveries } = await runningDeliveries({
    queued: names,
    answer: () => (isAway ? relayAway : accepted),
  })
  await vi.waitFor(async () => expect(await failures(deliveries)).toBeGreaterThan(4), soon)
  expect(deliveries.mailer.attempts.length).toBeLessThan(10)
  // Another instance may reach its own relay.
  await vi.waitFor(
    async () => expect((await deliveries.states()).filter(isSending).length).toBeLessThan(2),
    soon,
  )
  isAway = false
  await deliveries.query
    .updateTable('deliveries')
    .set({ due_at: clock() })
    .where('state', '=', 'queued')
    .execute()
  await vi.waitFor(async () => expect(new Set(await deliveries.states())).toEqual(new Set(['sent'])), soon)
  expect(await failures(deliveries)).toBeLessThan(10)
})

test('a worker does not send a mail twice when its lease ends during the send', async () => {
  const gate = Promise.withResolvers<typeof accepted>()
  const { deliveries, worker } = await runningDeliveries({
    queued: ['a@example.com'],
    answer: () => gate.promise,
  })
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(1), soon)
  await deliveries.query.updateTable('deliveries').set({ due_at: clock() }).execute()
  await deliveries.queue('b@example.com')
  worker.wake()
  await vi.waitFor(() => expect(deliveries.mailer.addresses()).toContain('b@example.com'), soon)
  gate.resolve(accepted)
  await vi.waitFor(async () => expect(await deliveries.states()).toEqual(['sent', 'sent']), soon)
  expect(deliveries.mailer.addresses()).toEqual(['a@example.com', 'b@example.com'])
})

test('a mail that cannot be composed does not hold up the others', async () => {
  const deliveries = await makeTestDeliveries({ now: clock })
  await deliveries.queue('broken@example.com')
  await deliveries.query.insertInto('mail_templates').values({ hash: 'broken', content: 'no JSON' }).execute()
  await deliveries.query.updateTable('deliveries').set({ template: 'broken' }).execute()
  await deliveries.queue('whole@example.com')
  start(deliveries)
  await vi.waitFor(() => expect(deliveries.mailer.addresses()).toEqual(['whole@example.com']), soon)
})

test('stopping finishes the attempts in flight, releases the other claims and sends nothing more', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}@example.com`)
  const gate = Promise.withResolvers<typeof accepted>()
  const { deliveries, worker } = await runningDeliveries({ queued: names, answer: () => gate.promise })
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(4), soon)
  const stopping = worker.stop(5_000)
  gate.resolve(accepted)
  await stopping
  const states = await deliveries.states()
  expect(states.filter((state) => state === 'sent')).toHaveLength(4)
  expect(states.filter((state) => state === 'queued')).toHaveLength(16)
  expect(deliveries.mailer.attempts).toHaveLength(4)
})

test('stopping waits no longer than its grace for an attempt that hangs, even if the clock is set back', async () => {
  const deliveries = await makeTestDeliveries() // its clock stands still
  await deliveries.queue('a@example.com')
  deliveries.mailer.answer(() => new Promise(() => {}))
  const worker = start(deliveries)
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(1), soon)
  await worker.stop(50)
  expect(await deliveries.states()).toEqual(['sending'])
})

test('a claim is retried after a database error', async () => {
  const { deliveries, worker } = await runningDeliveries({ queued: [] })
  await deliveries.queue('ada@example.com')
  await deliveries.database.runScript('alter table subscribers rename to gone')
  worker.wake()
  await vi.waitFor(() => expect(deliveries.log()).toContain('cannot claim deliveries'), soon)
  await deliveries.database.runScript('alter table gone rename to subscribers')
  await vi.waitFor(() => expect(deliveries.mailer.addresses()).toEqual(['ada@example.com']), soon)
})

test('an outcome that cannot be recorded is retried, logged and counted', async () => {
  const deliveries = await makeTestDeliveries({ now: clock })
  await deliveries.queue('ada@example.com')
  await deliveries.database.runScript('alter table deliveries rename column finished_at to gone')
  start(deliveries)
  await vi.waitFor(() => expect(recordFailures(deliveries)).toBeGreaterThan(1), soon)
  const lines = deliveries.log().split('\n')
  expect(
    lines.filter((line) => line.includes('"event":"deliveries not recorded, trying again"')),
  ).toHaveLength(1)
  await deliveries.deps.counts.writeDays(deliveries.database, deliveries.deps.log)
  expect(await readDailyCounts(deliveries.query, '')).toContainEqual(
    expect.objectContaining({ event: 'record-failed' }),
  )
  await deliveries.database.runScript('alter table deliveries rename column gone to finished_at')
  await vi.waitFor(async () => expect(await deliveries.states()).toEqual(['sent']), soon)
  expect(deliveries.mailer.addresses()).toEqual(['ada@example.com'])
})

test('every mail is checked again right before it is sent, even in the millisecond of its claim', async () => {
  const deliveries = await makeTestDeliveries()
  for (const name of ['a', 'b', 'c']) await deliveries.queue(`${name}@example.com`)
  const gate = Promise.withResolvers<typeof accepted>()
  deliveries.mailer.answer(() => gate.promise)
  start(deliveries, { concurrency: 1, now: () => deliveries.start }) // no time passes between claim and sending
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(1), soon)
  await deliveries.query
    .updateTable('subscribers')
    .set({ state: 'unsubscribed' })
    .where('id', '=', 2)
    .execute()
  await deliveries.query.deleteFrom('subscribers').where('id', '=', 3).execute()
  gate.resolve(accepted)
  await vi.waitFor(async () => expect(await deliveries.states()).toEqual(['cancelled', 'sent']), soon)
  expect(deliveries.mailer.addresses()).toEqual(['a@example.com'])
})

test('while the database does not answer no mail is sent unchecked; afterwards all are sent', async () => {
  const deliveries = await makeTestDeliveries({ now: clock })
  for (const name of ['a', 'b']) await deliveries.queue(`${name}@example.com`)
  const gate = Promise.withResolvers<typeof accepted>()
  deliveries.mailer.answer(() => gate.promise)
  start(deliveries, { concurrency: 1 })
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(1), soon)
  await deliveries.database.runScript('alter table subscribers rename to gone')
  gate.resolve(accepted)
  await vi.waitFor(() => expect(deliveries.log()).toContain('deliveries not checked before sending'), soon)
  expect(deliveries.mailer.attempts).toHaveLength(1)
  await deliveries.database.runScript('alter table gone rename to subscribers')
  await vi.waitFor(async () => expect(await deliveries.states()).toEqual(['sent', 'sent']), soon)
})

test.each([
  { signUps: 15, everyMs: 10 },
  { signUps: 16, everyMs: 50 },
])(
  'while commits of $signUps sign-ups follow each other a mail begins every $everyMs ms, then all at once',
  async ({ signUps, everyMs }) => {
    const deliveries = await makeTestDeliveries()
    for (let index = 0; index < 20; index += 1) await deliveries.queue(`n${index}@example.com`)
    let time = deliveries.start
    const worker = start(deliveries, { now: () => time })
    const attempts = () => deliveries.mailer.attempts.length
    worker.yieldToSignUps(signUps)
    for (const expected of [1, 2, 3]) {
      await vi.waitFor(() => expect(attempts()).toBe(expected), soon)
      await sleep(everyMs + 20) // its timer goes off meanwhile
      expect(attempts()).toBe(expected)
      time += everyMs
      worker.yieldToSignUps(signUps)
    }
    time += 21
    await vi.waitFor(() => expect(attempts()).toBe(20), soon)
  },
)

test.each([{ first: accepted }, { first: relayAway }])(
  'a clock that is set back holds up no new mail, if the mail before was $first.kind',
  async ({ first }) => {
    let time = Date.UTC(2026, 0, 5)
    const deliveries = await makeTestDeliveries({ now: () => time })
    deliveries.mailer.answer((address) => (address.startsWith('first') ? first : accepted))
    await deliveries.queue('first@example.com')
    const worker = start(deliveries)
    worker.yieldToSignUps(1)
    await vi.waitFor(async () => expect(await deliveries.states()).not.toContain('sending'), soon)
    await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(1), soon)
    time -= 24 * 60 * minuteMs
    await deliveries.queue('second@example.com')
    worker.yieldToSignUps(1)
    const second = () => expect(deliveries.mailer.addresses()).toContain('second@example.com')
    await vi.waitFor(second, beforeItPolls)
  },
)

test('mail of a lower lane overtakes mail that a worker has claimed but not begun', async () => {
  const deliveries = await makeTestDeliveries()
  for (let index = 0; index < 40; index += 1) await deliveries.queue(`busy${index}@example.com`, 0, 3)
  let gate = Promise.withResolvers<typeof accepted>()
  deliveries.mailer.answer(() => gate.promise)
  const worker = start(deliveries, { concurrency: 1 })
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(1), soon)
  const quiet = await deliveries.queue('quiet@example.com')
  worker.wake()
  const claimed = deliveries.query.selectFrom('deliveries').select('state').where('subscriber', '=', quiet)
  await vi.waitFor(async () => expect(await claimed.execute()).toEqual([{ state: 'sending' }]), soon)
  await sleep(50) // the worker learns of its claim
  const first = gate
  gate = Promise.withResolvers<typeof accepted>()
  first.resolve(accepted)
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(2), soon)
  expect(deliveries.mailer.addresses().at(-1)).toBe('quiet@example.com')
  gate.resolve(accepted)
})

test('a sign-up after a calm moment gets its mail at once', async () => {
  const deliveries = await makeTestDeliveries() // its clock stands still, so a mail that makes way never begins
  const worker = start(deliveries)
  await deliveries.queue('ada@example.com')
  worker.yieldToSignUps(1)
  await vi.waitFor(() => expect(deliveries.mailer.attempts).toHaveLength(1), beforeItPolls)
})

function recordFailures({ deps }: TestDeliveries): number {
  return Number(/record_failures_total (\d+)/.exec(deps.counts.metricsText({}))?.[1])
}

const isSending = (state: string) => state === 'sending'

async function failures({ query }: TestDeliveries): Promise<number> {
  const rows = await query.selectFrom('deliveries').select('failures').execute()
  return rows.reduce((sum, row) => sum + row.failures, 0)
}

type TestDeliveries = Awaited<ReturnType<typeof makeTestDeliveries>>

async function runningDeliveries(given: {
  queued: string[]
  answer?: Parameters<TestDeliveries['mailer']['answer']>[0]
}) {
  const deliveries = await makeTestDeliveries({ now: clock })
  for (const address of given.queued) await deliveries.queue(address)
  if (given.answer) deliveries.mailer.answer(given.answer)
  return { deliveries, worker: start(deliveries) }
}

/** Runs, so that the next probe of the relay falls due. */
function clock(): number {
  return Date.UTC(2026, 0, 5) + Math.round(performance.now())
}

function start(
  { deps: given }: TestDeliveries,
  { concurrency = 4, ...more }: Partial<DeliveryDeps> & { concurrency?: number } = {},
) {
  const deps = { ...given, ...more }
  const worker = new Worker(mailQueue(deps), { ...deps, concurrency })
  onTestFinished(() => worker.stop(0))
  return worker
}
