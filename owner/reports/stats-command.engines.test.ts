import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { ownerNow } from '#rigs/owner/owner-commands.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import type { Database } from '#server/database/database.ts'
import { addDailyCounts, type CountedEvent } from '#server/statistics/daily-counts.ts'

const today = '2026-01-02' // ownerNow
/**
 * A campaign that the server would refuse: markup, terminal control codes, letters that reverse the
 * line.
 */
const hostileText = '<img src=x onerror=alert(1)>\u001B[2J\u009B31m\u202E&"'

type Counted = [day: string, event: CountedEvent, detail: string, count: number]

function count(database: Database, counts: readonly Counted[]): Promise<void> {
  const rows = counts.map(([day, event, detail, number]) => ({ day, event, detail, count: number }))
  return database.transaction((transaction) => addDailyCounts(transaction, rows))
}

/** The table that `stats` prints for these counts. */
async function tableOf(counts: readonly Counted[], ...words: string[]): Promise<string> {
  const { database, owner } = await openOwnerTerminal()
  await count(database, counts)
  return (await owner('stats', ...words)).printed
}

test('statistics cover the last 28 days, the 28 days before, and current totals', async () => {
  const { database, owner } = await openOwnerTerminal()
  await count(database, [
    [today, 'signed-up', 'hero', 3],
    ['2025-12-06', 'signed-up', 'hero', 4],
    ['2025-12-05', 'signed-up', 'hero', 2],
    ['2025-11-07', 'signed-up', 'hero', 90],
  ])
  await subscribe(database, 'ada@example.com', 'failed')
  const { code, printed } = await owner('stats', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(printed)).toMatchObject({
    madeAt: '2026-01-02T03:04:05.000Z',
    period: { from: '2025-12-06', to: today, signUps: 7 },
    before: { from: '2025-11-08', to: '2025-12-05', signUps: 2 },
    subscribers: { active: 0, undeliverable: 1 },
    deliveries: { waiting: 0, mailingsWaiting: 0, held: 0 },
    faultsOfLast7Days: [{ fault: 'smtp 550 5.1.1 to RCPT TO', state: 'failed', count: 1 }],
  })
  const table = (await owner('stats')).printed
  expect(table).toMatch(
    /^28 days, 2025-12-06 to 2026-01-02 \(UTC\)\. Today is counted until 03:04\.\n/,
  )
  expect(table).toMatch(/^ {2}New sign-ups +7 +2$/m)
  expect(table).toMatch(/^ {2}smtp 550 5.1.1 to RCPT TO +1 +failed$/m)
})

test('errors cover deliveries that failed in the last 7 days, and all that wait', async () => {
  const { database, owner } = await openOwnerTerminal()
  const dayMs = 24 * 60 * 60_000
  const change = (id: number, queuedAt: number, finishedAt: number | null, fault: string) =>
    database.transaction((transaction) =>
      transaction.run(
        sql`update deliveries set queued_at = ${queuedAt}, finished_at = ${finishedAt}, last_fault = ${fault} where id = ${id}`,
      ),
    )
  const old = ownerNow - 8 * dayMs
  const recent = ownerNow - 6 * dayMs
  await change(await subscribe(database, 'a@example.com', 'failed'), old, recent, 'failed lately')
  await change(await subscribe(database, 'b@example.com', 'failed'), old, old, 'failed long ago')
  await change(await subscribe(database, 'c@example.com'), recent, null, 'waits')
  await change(await subscribe(database, 'd@example.com'), old, null, 'waits for long')
  const { faultsOfLast7Days } = JSON.parse((await owner('stats', '--json')).printed)
  expect(faultsOfLast7Days.map(({ fault }: { fault: string }) => fault).toSorted()).toEqual([
    'failed lately',
    'waits',
    'waits for long',
  ])
})

test('of the mail, what waits and what is held is counted now', async () => {
  const { database, owner } = await openOwnerTerminal()
  await subscribe(database, 'waits@example.com')
  const held = await subscribe(database, 'held@example.com')
  await database.transaction((transaction) =>
    transaction.run(sql`update deliveries set state = 'held' where id = ${held}`),
  )
  await subscribe(database, 'sent@example.com', 'sent')
  const { deliveries } = JSON.parse((await owner('stats', '--json')).printed)
  expect(deliveries).toEqual({ waiting: 1, mailingsWaiting: 0, held: 1 })
  expect((await owner('stats')).printed).toMatch(/^ {2}waiting +1\n.*\n {2}held +1$/m)
})

test('the visitor funnel is shown with shares, the days before, and machines apart', async () => {
  const table = await tableOf([
    [today, 'signed-up', 'hero', 6],
    [today, 'signed-up', 'closing', 2],
    [today, 'delivered', '', 8],
    [today, 'page-opened', 'person', 4],
    [today, 'page-opened', 'machine', 7],
    [today, 'bounced', '', 1],
    [today, 'blocked', '', 1],
    [today, 'limit-hit', 'site', 3],
    ['2025-12-05', 'signed-up', 'hero', 3],
  ])
  expect(table).toMatch(/^ {2}New sign-ups +8 +3$/m)
  expect(table).toMatch(/^ {2}Handed to the mail server +8 +0 +100 %$/m)
  expect(table).not.toContain('Arrived')
  expect(table).toMatch(/^ {2}Page opened +4 +0 +50 %$/m)
  expect(table).toContain('such as mail scanners: page 7, script 0, guide 0.')
  expect(table).toMatch(/^ {4}form at the top +6 +3 +75 %$/m)
  expect(table).toMatch(/^ {2}Came back as undeliverable +1 +0 +13 %$/m)
  expect(table).toMatch(/^ {4}the hour's ceiling of the whole site +3 +0$/m)
})

test('sources are shown by campaign with what became of them, and by day in the JSON', async () => {
  const { database, owner } = await openOwnerTerminal()
  await count(database, [
    [today, 'viewed-from', 'video-7', 40],
    [today, 'came-from', 'video-7', 5],
    ['2026-01-01', 'came-from', 'video-7', 2],
    [today, 'opened-from', 'video-7', 4],
    [today, 'taken-from', 'video-7', 3],
    [today, 'came-from', 'none', 1],
    ['2025-11-01', 'came-from', 'long-ago', 9],
  ])
  const table = (await owner('stats')).printed
  expect(table).toMatch(/^campaign +views +signUps +opened +gotScript$/m)
  expect(table).toMatch(/^video-7 +40 +7 +4 +3$/m)
  expect(table).toMatch(/^none +0 +1 +0 +0$/m)
  expect(table).not.toContain('long-ago')
  const { sources } = JSON.parse((await owner('stats', '--json')).printed)
  expect(sources[0]).toMatchObject({ campaign: 'video-7', signUps: 7 })
  expect(sources[0].byDay).toContainEqual({
    day: '2026-01-01',
    views: 0,
    signUps: 2,
    opened: 0,
    gotScript: 0,
  })
})

test('the ten most frequent sources are named', async () => {
  const named = Array.from({ length: 13 }, (_, index): Counted => [
    today,
    'came-from',
    `source-${index}`,
    20 - index,
  ])
  const table = await tableOf(named)
  expect(table.match(/^source-\d+ /gm)).toHaveLength(10)
  expect(table).toMatch(/^source-9 +0 +11 /m)
})

test('a share is left out above the whole and without one, and never rounded to nothing or to all', async () => {
  const few = await tableOf([
    [today, 'signed-up', 'hero', 2],
    [today, 'page-opened', 'person', 3],
  ])
  expect(few).toMatch(/^ {2}Page opened +3 +0$/m)
  const none = await tableOf([[today, 'page-opened', 'person', 4]])
  expect(none).toMatch(/^ {2}Page opened +4 +0$/m)
  expect(none).not.toMatch(/NaN|Infinity/)
  const many = await tableOf([
    [today, 'signed-up', 'hero', 1_000],
    [today, 'delivered', '', 999],
    [today, 'page-opened', 'person', 1],
    [today, 'arrived', '', 6],
  ])
  expect(many).toMatch(/^ {2}Handed to the mail server .*>99 %$/m)
  expect(many).toMatch(/^ {2}Arrived, as the provider reports it +6 /m)
  expect(many).toMatch(/^ {2}Page opened .*<1 %$/m)
})

test.each([hostileText, 'constructor', '__proto__'])(
  'a source %j cannot control the terminal',
  async (source) => {
    const table = await tableOf([
      [today, 'signed-up', source, 1],
      [today, 'came-from', source, 1],
      [today, 'limit-hit', source, 1],
    ])
    expect(table).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(table.match(new RegExp(`^ *${source.slice(0, 9)}`, 'gm'))).toHaveLength(3)
  },
)

test('every line of the tables fits 80 columns', async () => {
  const table = await tableOf([
    [today, 'signed-up', 'hero', 10_000],
    [today, 'came-from', 'a-source-with-a-very-long-name-of-its-own', 10_000],
    [today, 'viewed-from', 'a-source-with-a-very-long-name-of-its-own', 1_000_000],
    [today, 'page-opened', 'person', 30_000],
    [today, 'page-opened', 'machine', 1_000],
  ])
  const [tables = ''] = table.split('\nNot counted above')
  for (const line of tables.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test.each([
  ['0', 'It must be a whole number of at least 1'],
  ['1099', 'Counts are kept for 1098 days'],
])('stats of %s days is a usage error', async (days, why) => {
  const { owner } = await openOwnerTerminal()
  expect(await owner('stats', '--days', days)).toMatchObject({
    code: 2,
    aside: expect.stringContaining(why),
  })
})
