import { expect, test } from 'vitest'
import { counted, hostileText, statisticsOf } from '#rigs/owner/test-statistics.ts'
import { everyDay } from './summary.ts'
import { statisticsTable } from './statistics-table.ts'

const today = '2026-01-02'

test('the visitor funnel is shown with shares, the days before, and machines apart', () => {
  const table = statisticsTable(
    statisticsOf([
      counted(today, 'signed-up', 'hero', 6),
      counted(today, 'signed-up', 'closing', 2),
      counted(today, 'came-from', 'none', 8),
      counted(today, 'delivered', '', 8),
      counted(today, 'page-opened', 'person', 4),
      counted(today, 'page-opened', 'machine', 7),
      counted(today, 'bounced', '', 1),
      counted(today, 'limit-hit', 'site', 3),
      counted('2025-12-05', 'signed-up', 'hero', 3),
    ]),
  )
  expect(table).toMatch(/^28 days, 2025-12-06 to 2026-01-02 \(UTC\)\. Today is counted until 03:04\.\n/)
  expect(table).toMatch(/^ {2}Signed up +8 +3 +100 %$/m)
  expect(table).toMatch(/^ {2}Mail handed over +8 +0 +100 %$/m)
  expect(table).toMatch(/^ {2}Page opened +4 +0 +50 % +machines 7$/m)
  expect(table).toMatch(/^ {2}Form at the top +6 +3 +75 %$/m)
  expect(table).toMatch(/^ {2}No source named +8 +0 +100 %$/m)
  expect(table).toMatch(/^ {2}Bounced +1 +0 +13 %$/m)
  expect(table).toMatch(/^ {2}Limit hit: the whole site +3 +0$/m)
})

test('current totals and recent errors are shown', () => {
  const table = statisticsTable(
    statisticsOf([], 28, {
      subscribers: { active: 1_003, unsubscribed: 1, undeliverable: 0, erased: 2 },
      overdueSeconds: 720,
      faultsOfLast7Days: [{ fault: 'smtp 550 to RCPT TO', state: 'failed', count: 2 }],
    }),
  )
  expect(table).toMatch(/\nSubscribers now\n {2}active +1,003\n {2}unsubscribed +1\n/)
  expect(table).toMatch(/^ {2}seconds overdue +720$/m)
  expect(table).toMatch(/\nErrors of the last 7 days\n {2}smtp 550 to RCPT TO +2 +failed\n/)
})

test('a count above the whole has no share', () => {
  const counts = [counted(today, 'signed-up', 'hero', 2), counted(today, 'page-opened', 'person', 3)]
  expect(statisticsTable(statisticsOf(counts))).toMatch(/^ {2}Page opened +3 +0$/m)
})

test('openings without a sign-up have no share', () => {
  const table = statisticsTable(statisticsOf([counted(today, 'page-opened', 'person', 4)]))
  expect(table).toMatch(/^ {2}Page opened +4 +0$/m)
  expect(table).not.toMatch(/NaN|Infinity/)
})

test('a share is never rounded to nothing or to all', () => {
  const table = statisticsTable(
    statisticsOf([
      counted(today, 'signed-up', 'hero', 1_000),
      counted(today, 'delivered', '', 999),
      counted(today, 'page-opened', 'person', 1),
    ]),
  )
  expect(table).toMatch(/^ {2}Mail handed over .*>99 %$/m)
  expect(table).toMatch(/^ {2}Page opened .*<1 %$/m)
})

test('the ten most frequent sources are named, the others summed up, and none looks like an address', () => {
  const named = Array.from({ length: 13 }, (_, index) =>
    counted(today, 'came-from', `source-${index}`, 20 - index),
  )
  const others = [
    counted(today, 'came-from', 'other', 50),
    counted(today, 'came-from', 'ada@example.com', 40),
  ]
  const table = statisticsTable(statisticsOf([...named, ...others, counted(today, 'signed-up', 'hero', 272)]))
  expect(table.match(/^ {2}source-\d+ /gm)).toHaveLength(10)
  expect(table).toMatch(/^ {2}source-9 +11 .*\n {2}All others +117 /m)
  expect(table).not.toContain('ada')
})

test.each([hostileText, 'constructor', '__proto__'])('a source %j cannot control the terminal', (source) => {
  const counts = [counted(today, 'signed-up', source, 1), counted(today, 'came-from', source, 1)]
  const table = statisticsTable(statisticsOf([...counts, counted(today, 'limit-hit', source, 1)]))
  expect(table).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(table.match(new RegExp(`^ {2}${source.slice(0, 9)}`, 'gm'))).toHaveLength(3)
})

test.each([1, 28, 366])('with %i days every line fits 80 columns', (days) => {
  const { period } = statisticsOf([], days)
  const counts = everyDay(period).flatMap((day, index) => [
    counted(day, 'signed-up', 'hero', 10_000 + index),
    counted(day, 'came-from', 'a-source-with-a-very-long-name-of-its-own', 10_000),
    counted(day, 'page-opened', 'person', 30_000),
    counted(day, 'page-opened', 'machine', 1_000),
  ])
  const lines = statisticsTable(statisticsOf(counts, days)).split('\n')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
})

test('mail that arrived is shown apart from mail handed over, once a provider reports it', () => {
  const delivered = counted(today, 'delivered', '', 8)
  expect(statisticsTable(statisticsOf([delivered]))).not.toContain('arrived')
  const table = statisticsTable(statisticsOf([delivered, counted(today, 'arrived', '', 6)]))
  expect(table).toMatch(/^ {2}Mail handed over +8 /m)
  expect(table).toMatch(/^ {2}Mail arrived +6 /m)
})
