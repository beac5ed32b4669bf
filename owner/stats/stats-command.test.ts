import { expect, test } from 'vitest'
import { addDailyCounts } from '#server/statistics/daily-counts.ts'
import { openOwnerTerminal, ownerNow, subscribe } from '#rigs/owner/owner-terminal.ts'
import { counted, hostileText } from '#rigs/owner/test-statistics.ts'

test('statistics cover the last 28 days, the 28 days before, and current totals', async () => {
  const { database, owner } = await openOwnerTerminal()
  await addDailyCounts(database.query, [
    counted('2026-01-02', 'signed-up', 'hero', 3),
    counted('2025-12-06', 'signed-up', 'hero', 4),
    counted('2025-12-05', 'signed-up', 'hero', 2),
    counted('2025-11-07', 'signed-up', 'hero', 90),
  ])
  await subscribe(database, 'ada@example.com', 'failed')
  const { code, printed } = await owner('stats', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(printed)).toMatchObject({
    madeAt: '2026-01-02T03:04:05.000Z',
    period: { from: '2025-12-06', to: '2026-01-02', signUps: 7 },
    before: { from: '2025-11-08', to: '2025-12-05', signUps: 2 },
    subscribers: { active: 0, undeliverable: 1 },
    deliveries: { failed: 1 },
    faultsOfLast7Days: [{ fault: 'smtp 550 to RCPT TO', state: 'failed', count: 1 }],
  })
  expect((await owner('stats')).printed).toMatch(/^ {2}Signed up +7 +2 +100 %$/m)
})

test('errors cover deliveries of the last 7 days that failed or still wait', async () => {
  const { database, owner } = await openOwnerTerminal()
  const dayMs = 24 * 60 * 60_000
  const change = async (
    id: number,
    values: { queued_at: number; finished_at?: number; last_fault?: string },
  ) => database.query.updateTable('deliveries').set(values).where('id', '=', id).execute()
  const [old, recent] = [ownerNow - 8 * dayMs, ownerNow - 6 * dayMs]
  await change(await subscribe(database, 'a@example.com', 'failed'), { queued_at: old, finished_at: recent })
  await change(await subscribe(database, 'b@example.com', 'failed'), { queued_at: old, finished_at: old })
  await change(await subscribe(database, 'c@example.com'), { queued_at: recent, last_fault: 'new' })
  await change(await subscribe(database, 'd@example.com'), { queued_at: old, last_fault: 'old' })
  const { faultsOfLast7Days } = JSON.parse((await owner('stats', '--json')).printed)
  expect(faultsOfLast7Days).toHaveLength(2)
  expect(faultsOfLast7Days).toEqual(
    expect.arrayContaining([
      { fault: 'smtp 550 to RCPT TO', state: 'failed', count: 1 },
      { fault: 'new', state: 'queued', count: 1 },
    ]),
  )
})

test('--days sets the length of the period', async () => {
  const { database, owner } = await openOwnerTerminal()
  await addDailyCounts(database.query, [
    counted('2026-01-02', 'signed-up', 'hero', 3),
    counted('2026-01-01', 'signed-up', 'hero', 4),
  ])
  expect((await owner('stats', '--days', '1')).printed).toMatch(/^ {2}Signed up +3 +4 +100 %$/m)
})

test.each(['0', '-1', '1.5', 'many', '367'])('--days %s is a usage error', async (days) => {
  const { owner } = await openOwnerTerminal()
  const { code, printed, aside } = await owner('stats', `--days=${days}`)
  expect({ code, printed }).toEqual({ code: 2, printed: '' })
  expect(aside).toMatch(/^error: option '--days <N>' argument .* is invalid\. It must be /)
})

test('JSON escapes control characters, and keeps the text', async () => {
  const { database, owner } = await openOwnerTerminal()
  await addDailyCounts(database.query, [counted('2026-01-02', 'came-from', hostileText, 1)])
  const { printed } = await owner('stats', '--json')
  expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(printed).period.bySource).toEqual([{ detail: hostileText, count: 1 }])
})
