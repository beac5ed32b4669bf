import { expect, test } from 'vitest'
import { openOwnerTerminal, ownerNow, subscribe } from '#rigs/owner/owner-terminal.ts'

test('a retried delivery is queued again, and its subscriber is active again', async () => {
  const { database, owner } = await openOwnerTerminal()
  const id = await subscribe(database, 'ada@example.com', 'failed')
  expect(await owner('deliveries', 'retry', String(id))).toMatchObject({ code: 0 })
  const { subscriber: _, ...delivery } = await deliveryOf(id)
  expect(delivery).toMatchObject({ state: 'queued', due_at: ownerNow, failures: 0 })
  expect(await database.query.selectFrom('subscribers').select('state').execute()).toEqual([
    { state: 'active' },
  ])

  function deliveryOf(number: number) {
    return database.query
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', number)
      .executeTakeFirstOrThrow()
  }
})

test('retrying all failed deliveries skips people who unsubscribed or have a newer delivery', async () => {
  const { database, owner } = await openOwnerTerminal()
  const wanted = await subscribe(database, 'ada@example.com', 'failed')
  await subscribe(database, 'left@example.com', 'failed')
  await database.query
    .updateTable('subscribers')
    .set({ state: 'unsubscribed' })
    .where('identity', '=', 'left@example.com')
    .execute()
  await subscribe(database, 'again@example.com', 'failed')
  await subscribe(database, 'again@example.com', 'sent')
  expect((await owner('deliveries', 'retry', 'failed')).printed).toBe('1 failed delivery is queued again.\n')
  const queued = await database.query
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'queued')
    .execute()
  expect(queued).toEqual([{ id: wanted }])
})

test('retrying a delivery that waits for its next try makes it due now', async () => {
  const { database, owner } = await openOwnerTerminal()
  const id = await subscribe(database, 'ada@example.com')
  await database.query
    .updateTable('deliveries')
    .set({ due_at: ownerNow + 3_600_000 })
    .execute()
  expect(await owner('deliveries', 'retry', String(id))).toMatchObject({ code: 0 })
  expect(await database.query.selectFrom('deliveries').select('due_at').execute()).toEqual([
    { due_at: ownerNow },
  ])
})

test('a sent delivery is not sent again, and the command says why', async () => {
  const { database, owner } = await openOwnerTerminal()
  const id = await subscribe(database, 'ada@example.com', 'sent')
  expect(await owner('deliveries', 'retry', String(id))).toEqual({
    code: 1,
    printed: '',
    aside: `Delivery ${id} was sent; a new sign-up sends the mail again.\n`,
  })
  expect((await owner('deliveries', 'retry', '4711')).aside).toBe('There is no delivery 4711.\n')
  expect((await owner('deliveries', 'retry', 'all')).aside).toContain('It must be a whole number from 1 on.')
})

test('list and show print the last error', async () => {
  const { database, owner } = await openOwnerTerminal()
  const id = await subscribe(database, 'ada@example.com', 'failed')
  expect((await owner('deliveries', 'list', '--state', 'failed')).printed).toContain('smtp 550 to RCPT TO')
  expect(JSON.parse((await owner('deliveries', 'show', String(id), '--json')).printed)).toMatchObject({
    id,
    state: 'failed',
    last_fault: 'smtp 550 to RCPT TO',
    message_id: expect.stringMatching(/^<[0-9a-f-]{24,36}@b\.co>$/),
  })
})

test('the deliveries of a period are listed page by page', async () => {
  const { database, owner } = await openOwnerTerminal()
  for (const day of [1, 2, 3, 4]) {
    const id = await subscribe(database, `day-${day}@example.com`, day === 3 ? 'failed' : 'sent')
    const queuedAt = Date.UTC(2026, 10, day, 12)
    await database.query.updateTable('deliveries').set({ queued_at: queuedAt }).where('id', '=', id).execute()
  }
  const days = async (...words: string[]) => {
    const { printed, aside } = await owner('deliveries', 'list', '--json', ...words)
    const addresses = JSON.parse(printed).map(({ address }: { address: string }) => address)
    return [...addresses.map((address: string) => address.slice(4, 5)), aside].join('')
  }
  expect(await days('--since', '2026-11-02', '--until', '2026-11-03')).toBe('32')
  const more = 'There are more. Add --after 3\n'
  expect(await days('--since', '2026-11-02', '--limit', '2')).toBe(`43${more}`)
  expect(await days('--since', '2026-11-02', '--limit', '2', '--after', '3')).toBe('2')
  expect(await days('--state', 'failed', '--limit', '1')).toBe('3')
})
