import { expect, onTestFinished, test, vi } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/programmable-mailer.ts'
import { makeOutbox } from '#rigs/test-outbox.ts'
import { type DeliveryLoop, startDeliveryLoop } from './delivery-loop.ts'

const soon = { timeout: 5_000, interval: 10 }

test('mail leaves as soon as the loop is woken, and what was owed at the start leaves too', async () => {
  const { outbox, loop } = await runningOutbox({ owed: ['before@example.com'] })
  await vi.waitFor(() => expect(outbox.mailer.addresses()).toEqual(['before@example.com']), soon)
  await outbox.owe('after@example.com')
  loop.wake()
  await vi.waitFor(() => expect(outbox.mailer.addresses()).toContain('after@example.com'), soon)
})

test('of many each is sent once, with no more at once than allowed', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `n${index}@example.com`)
  let [atOnce, most] = [0, 0]
  const { outbox } = await runningOutbox({
    owed: names,
    async answer() {
      most = Math.max(most, (atOnce += 1))
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

test('a recipient that is refused, put off or mute does not hold up the others', async () => {
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

test('while the relay is away one mail asks for it, and the others keep their tries; then all leave', async () => {
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

test('a mail on its way whose lease has ended is not sent again by the one who sends it', async () => {
  const gate = Promise.withResolvers<typeof accepted>()
  const { outbox, loop } = await runningOutbox({ owed: ['a@example.com'], answer: () => gate.promise })
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(1), soon)
  await outbox.query.updateTable('deliveries').set({ due_at: 0 }).execute()
  await outbox.owe('b@example.com')
  loop.wake()
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
  const { outbox, loop } = await runningOutbox({ owed: names, answer: () => gate.promise })
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(4), soon)
  const stopping = loop.stop(5_000)
  gate.resolve(accepted)
  await stopping
  const states = await outbox.states()
  expect(states.filter((state) => state === 'sent')).toHaveLength(4)
  expect(states.filter((state) => state === 'queued')).toHaveLength(16)
  expect(outbox.mailer.attempts).toHaveLength(4)
})

test('stopping waits no longer than its grace for an attempt that hangs', async () => {
  const { outbox, loop } = await runningOutbox({
    owed: ['a@example.com'],
    answer: () => new Promise(() => {}),
  })
  await vi.waitFor(() => expect(outbox.mailer.attempts).toHaveLength(1), soon)
  await loop.stop(50)
  expect(await outbox.states()).toEqual(['sending'])
})

test('a database that fails for a moment is asked again', async () => {
  const { outbox, loop } = await runningOutbox({ owed: [] })
  await outbox.owe('ada@example.com')
  await outbox.database.runScript('alter table subscribers rename to gone')
  loop.wake()
  await vi.waitFor(() => expect(outbox.log()).toContain('cannot claim deliveries'), soon)
  await outbox.database.runScript('alter table gone rename to subscribers')
  await vi.waitFor(() => expect(outbox.mailer.addresses()).toEqual(['ada@example.com']), soon)
})

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
  return { outbox, loop: start(outbox) }
}

/** Its time runs, so that a stop with a grace ends. */
function start({ means, start: from }: Outbox): DeliveryLoop {
  const loop = startDeliveryLoop({
    ...means,
    now: () => from + Math.round(performance.now()),
    concurrency: 4,
  })
  onTestFinished(() => loop.stop(0))
  return loop
}
