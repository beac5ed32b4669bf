import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { makeOutbox } from '#rigs/server/test-outbox.ts'
import { type DeliveryDeps, DeliveryWorker } from './worker.ts'

const soon = { timeout: 5_000, interval: 10 }

test('the worker sends what is queued at its start, and more when it is woken', async () => {
  const { outbox, worker } = await runningOutbox({ owed: ['before@example.com'] })
  await vi.waitFor(() => expect(outbox.mailer.addresses()).toEqual(['before@example.com']), soon)
  await outbox.owe('after@example.com')
  worker.wake()
  await vi.waitFor(() => expect(outbox.mailer.addresses()).toContain('after@example.com'), soon)
})

test('many mails are sent once each, and no more at a time than allowed', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `n${index}@example.com`)
  let [atOnce, most] = [0, 0]
  const four = Promise.withResolvers<void>()
  const { outbox } = await runningOutbox({
    owed: names,
    async answer() {
      most = Math.max(most, (atOnce += 1))
      if (atOnce === 4) four.resolve()
      await four.promise
      await new Promise(setImmediate)
      atOnce -= 1
      return accepted
    },
  })
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(100), soon)
  await vi.waitFor(async () => expect(new Set(await outbox.states())).toEqual(new Set(['sent'])), soon)
  expect(outbox.mailer.addresses().toSorted()).toEqual(names.toSorted())
  expect(most).toBe(4)
})

test('a recipient that is refused, postponed or mute does not hold up the others', async () => {
  const others = Array.from({ length: 60 }, (_, index) => `n${index}@example.com`)
  const mute = Promise.withResolvers<typeof accepted>()
  const { outbox } = await runningOutbox({
    owed: ['mute@example.com', 'refused@example.com', 'later@example.com', ...others],
    answer(address) {
      if (address.startsWith('mute')) return mute.promise
      if (address.startsWith('refused')) return permanent
      return address.startsWith('later') ? temporary : accepted
    },
  })
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(63), soon)
  await vi.waitFor(
    async () =>
      expect(await outbox.states()).toEqual(['failed', 'queued', 'sending', ...others.map(() => 'sent')]),
    soon,
  )
  mute.resolve(accepted)
  await vi.waitFor(async () => expect(await outbox.states()).not.toContain('sending'), soon)
})

test('while the relay is away one mail probes it and the others keep their tries; then all are sent', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `n${index}@example.com`)
  let isAway = true
  const { outbox } = await runningOutbox({ owed: names, answer: () => (isAway ? relayAway : accepted) })
  await vi.waitFor(async () => expect(await failures(outbox)).toBeGreaterThan(4), soon)
  expect(outbox.mailer.attempts.length).toBeLessThan(10)
  // Another instance may reach its own relay.
  await vi.waitFor(async () => expect((await outbox.states()).filter(isSending).length).toBeLessThan(2), soon)
  isAway = false
  await outbox.query.updateTable('deliveries').set({ due_at: 0 }).where('state', '=', 'queued').execute()
  await vi.waitFor(async () => expect(new Set(await outbox.states())).toEqual(new Set(['sent'])), soon)
  expect(await failures(outbox)).toBeLessThan(10)
})

test('a worker does not send a mail twice when its lease ends during the send', async () => {
  const gate = Promise.withResolvers<typeof accepted>()
  const { outbox, worker } = await runningOutbox({ owed: ['a@example.com'], answer: () => gate.promise })
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(1), soon)
  await outbox.query.updateTable('deliveries').set({ due_at: 0 }).execute()
  await outbox.owe('b@example.com')
  worker.wake()
  await vi.waitFor(() => expect(outbox.mailer.addresses()).toContain('b@example.com'), soon)
  gate.resolve(accepted)
  await vi.waitFor(async () => expect(await outbox.states()).toEqual(['sent', 'sent']), soon)
  expect(outbox.mailer.addresses()).toEqual(['a@example.com', 'b@example.com'])
})

test('a mail that cannot be composed does not hold up the others', async () => {
  const outbox = await makeOutbox()
  await outbox.owe('broken@example.com')
  await outbox.query.insertInto('mail_templates').values({ hash: 'broken', content: 'no JSON' }).execute()
  await outbox.query.updateTable('deliveries').set({ template: 'broken' }).execute()
  await outbox.owe('whole@example.com')
  start(outbox)
  await vi.waitFor(() => expect(outbox.mailer.addresses()).toEqual(['whole@example.com']), soon)
})

test('stopping finishes the attempts in flight, hands the others back and sends nothing more', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}@example.com`)
  const gate = Promise.withResolvers<typeof accepted>()
  const { outbox, worker } = await runningOutbox({ owed: names, answer: () => gate.promise })
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(4), soon)
  const stopping = worker.stop(5_000)
  gate.resolve(accepted)
  await stopping
  const states = await outbox.states()
  expect(states.filter((state) => state === 'sent')).toHaveLength(4)
  expect(states.filter((state) => state === 'queued')).toHaveLength(16)
  expect(outbox.mailer.attempts).toHaveLength(4)
})

test('stopping waits no longer than its grace for an attempt that hangs', async () => {
  const { outbox, worker } = await runningOutbox({
    owed: ['a@example.com'],
    answer: () => new Promise(() => {}),
  })
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(1), soon)
  await worker.stop(50)
  expect(await outbox.states()).toEqual(['sending'])
})

test('a claim that the database refuses is repeated', async () => {
  const { outbox, worker } = await runningOutbox({ owed: [] })
  await outbox.owe('ada@example.com')
  await outbox.database.runScript('alter table subscribers rename to gone')
  worker.wake()
  await vi.waitFor(() => expect(outbox.log()).toContain('cannot claim deliveries'), soon)
  await outbox.database.runScript('alter table gone rename to subscribers')
  await vi.waitFor(() => expect(outbox.mailer.addresses()).toEqual(['ada@example.com']), soon)
})

test('an outcome that the database does not take is retried, logged and counted', async () => {
  const outbox = await makeOutbox()
  await outbox.owe('ada@example.com')
  await outbox.database.runScript('alter table deliveries rename column finished_at to gone')
  start(outbox)
  await vi.waitFor(() => expect(recordFailures(outbox)).toBeGreaterThan(1), soon)
  const lines = outbox.log().split('\n')
  expect(
    lines.filter((line) => line.includes('"event":"deliveries not recorded, trying again"')),
  ).toHaveLength(1)
  expect(outbox.deps.counts.tally.take()).toContainEqual(expect.objectContaining({ event: 'record-failed' }))
  await outbox.database.runScript('alter table deliveries rename column gone to finished_at')
  await vi.waitFor(async () => expect(await outbox.states()).toEqual(['sent']), soon)
  expect(outbox.mailer.addresses()).toEqual(['ada@example.com'])
})

test('every mail is checked again right before it is sent, even in the millisecond of its claim', async () => {
  const outbox = await makeOutbox()
  for (const name of ['a', 'b', 'c']) await outbox.owe(`${name}@example.com`)
  const gate = Promise.withResolvers<typeof accepted>()
  outbox.mailer.answer(() => gate.promise)
  start(outbox, { concurrency: 1, now: () => outbox.start }) // no time passes between claim and sending
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(1), soon)
  await outbox.query.updateTable('subscribers').set({ state: 'unsubscribed' }).where('id', '=', 2).execute()
  await outbox.query.deleteFrom('subscribers').where('id', '=', 3).execute()
  gate.resolve(accepted)
  await vi.waitFor(async () => expect(await outbox.states()).toEqual(['cancelled', 'sent']), soon)
  expect(outbox.mailer.addresses()).toEqual(['a@example.com'])
})

test('while the database does not answer no mail is sent unchecked; afterwards all are sent', async () => {
  const outbox = await makeOutbox()
  for (const name of ['a', 'b']) await outbox.owe(`${name}@example.com`)
  const gate = Promise.withResolvers<typeof accepted>()
  outbox.mailer.answer(() => gate.promise)
  start(outbox, { concurrency: 1 })
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(1), soon)
  await outbox.database.runScript('alter table subscribers rename to gone')
  gate.resolve(accepted)
  await vi.waitFor(() => expect(outbox.log()).toContain('deliveries not checked before sending'), soon)
  expect(outbox.mailer.attempts).toHaveLength(1)
  await outbox.database.runScript('alter table gone rename to subscribers')
  await vi.waitFor(async () => expect(await outbox.states()).toEqual(['sent', 'sent']), soon)
})

test('while sign-ups keep coming a mail begins every 10 ms, and afterwards all begin at once', async () => {
  const outbox = await makeOutbox()
  for (let index = 0; index < 20; index += 1) await outbox.owe(`n${index}@example.com`)
  let time = outbox.start
  const worker = start(outbox, { now: () => time })
  const attempts = () => outbox.mailer.attempts.length
  worker.yieldToSignUps()
  for (const expected of [1, 2, 3]) {
    await vi.waitFor(() => expect(attempts()).toBe(expected), soon)
    await sleep(30) // its timer goes off meanwhile
    expect(attempts()).toBe(expected)
    time += 10
    worker.yieldToSignUps()
  }
  time += 21
  await vi.waitFor(() => expect(attempts()).toBe(20), soon)
})

test('a sign-up after a calm moment gets its mail at once', async () => {
  const outbox = await makeOutbox()
  const worker = start(outbox)
  await outbox.owe('ada@example.com')
  worker.yieldToSignUps()
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(1), { timeout: 500, interval: 5 })
})

function recordFailures({ deps }: Outbox): number {
  return Number(/record_failures_total (\d+)/.exec(deps.counts.metricsText({}))?.[1])
}

const isSending = (state: string) => state === 'sending'

async function failures({ query }: Outbox): Promise<number> {
  const rows = await query.selectFrom('deliveries').select('failures').execute()
  return rows.reduce((sum, row) => sum + row.failures, 0)
}

type Outbox = Awaited<ReturnType<typeof makeOutbox>>

async function runningOutbox(given: { owed: string[]; answer?: Parameters<Outbox['mailer']['answer']>[0] }) {
  const outbox = await makeOutbox()
  for (const address of given.owed) await outbox.owe(address)
  if (given.answer) outbox.mailer.answer(given.answer)
  return { outbox, worker: start(outbox) }
}

/** Its time runs, so that a stop with a grace ends. */
function start({ deps, start: from }: Outbox, more: Partial<DeliveryDeps> = {}): DeliveryWorker {
  const worker = new DeliveryWorker({ ...deps, now: () => from + Math.round(performance.now()), ...more })
  onTestFinished(() => worker.stop(0))
  return worker
}
