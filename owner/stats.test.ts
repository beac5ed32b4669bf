import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addDailyCounts } from '#server/statistics/daily-counts.ts'
import { openOwnerTerminal, ownerNow, subscribe } from '#rigs/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { counted, hostileText } from '#rigs/test-statistics.ts'

test('the counts of the last 28 days, those of the 28 before, and what stands now', async () => {
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
  expect((await owner('stats')).printed).toMatch(/^7 sign-ups in 28 days\n5 more than the 2 /)
})

test('of faults count those that failed in the last 7 days, and mail queued in these that waits', async () => {
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

test('as many days as asked for', async () => {
  const { database, owner } = await openOwnerTerminal()
  await addDailyCounts(database.query, [
    counted('2026-01-02', 'signed-up', 'hero', 3),
    counted('2026-01-01', 'signed-up', 'hero', 4),
  ])
  expect((await owner('stats', '--days', '1')).printed).toMatch(
    /^3 sign-ups today\n1 fewer than the 4 yesterday/,
  )
})

test.each(['0', '-1', '1.5', 'many', '367'])(
  '--days %s is not understood: exit code 2, and no file',
  async (days) => {
    const { owner } = await openOwnerTerminal()
    const file = join(temporaryFolder(), 'stats.html')
    const { code, printed, aside } = await owner('stats', `--days=${days}`, '--html', file)
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(aside).toContain('--days must be')
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
  },
)

test('the page goes into a new file that only its owner may read, and over no other', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com', 'failed')
  const file = join(temporaryFolder(), 'stats.html')
  expect(await owner('stats', '--html', file)).toEqual({
    code: 0,
    printed: '',
    aside: `The statistics of 28 days were written to ${file}\n`,
  })
  const page = readFileSync(file, 'utf8')
  expect(page).toContain('<h1>Nobody signed up in 28 days</h1>')
  expect(page).not.toContain('ada@')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await owner('stats', '--days', '1', '--html', file)).toMatchObject({
    code: 1,
    aside: `${file} exists already; nothing was changed.\n`,
  })
  expect(readFileSync(file, 'utf8')).toBe(page)
})

test('JSON, too, gives a terminal no orders, and says what was there', async () => {
  const { database, owner } = await openOwnerTerminal()
  await addDailyCounts(database.query, [counted('2026-01-02', 'came-from', hostileText, 1)])
  const { printed } = await owner('stats', '--json')
  expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(printed).period.bySource).toEqual([{ detail: hostileText, count: 1 }])
})
