import { expect, test } from 'vitest'
import { everyDay } from '#server/statistics/days.ts'
import { counted, hostileText, statisticsOf } from '#rigs/test-statistics.ts'
import { lyingBar, printBars } from './print-bars.ts'
import { printStatistics } from './print-statistics.ts'

const today = '2026-01-02'

test('the way of the visitors is printed with its shares, machines apart', () => {
  const printed = printStatistics(
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
  expect(printed).toMatch(
    /^8 sign-ups in 28 days\n5 more than the 3 in the 28 days before\.\n6 December 2025 to/,
  )
  expect(printed).toContain('Days are UTC days. The last is today, counted until 03:04.\n')
  expect(printed).toMatch(/ {2}Mail delivered +8 +100 % {2}█{15}\n/)
  expect(printed).toMatch(/ {2}Page opened +4 +50 % {2}█{7}▌ +machines 7\n/)
  expect(printed).toMatch(/ {2}Form at the top +6 +75 %/)
  expect(printed).toMatch(/ {2}No source named +8 +100 %/)
  expect(printed).toMatch(/ {2}Bounced +1 {2}13 % of delivered\n/)
  expect(printed).toMatch(/ {2}Limit hit: the whole site +3\n/)
})

test('what stands now is printed as it was before', () => {
  const printed = printStatistics(
    statisticsOf([], 28, {
      subscribers: { active: 3, unsubscribed: 1, undeliverable: 0, erased: 2 },
      overdueSeconds: 720,
      faultsOfLast7Days: [{ fault: 'smtp 550 to RCPT TO', state: 'failed', count: 2 }],
    }),
  )
  expect(printed).toMatch(
    /Subscribers\n {2}active +3\n {2}unsubscribed +1\n {2}undeliverable +0\n {2}erased +2\n/,
  )
  expect(printed).toContain('The longest overdue has waited 12 minutes.')
  expect(printed).toMatch(/Faults of the last 7 days\n {2}smtp 550 to RCPT TO +2 {2}failed\n/)
})

test('an empty database prints sentences', () => {
  const printed = printStatistics(statisticsOf([]))
  expect(printed).toBe(
    [
      'Nobody signed up in 28 days',
      'Nor in the 28 days before.',
      '6 December 2025 to 2 January 2026',
      'Days are UTC days. The last is today, counted until 03:04.',
      '\nNothing was counted in these days.',
      '\nWhat stands now',
      '\nSubscribers\n  No subscriber yet.',
      '\nDeliveries\n  No delivery yet.',
      '\nFaults of the last 7 days\n  None.\n',
    ].join('\n'),
  )
})

test('openings without a sign-up have no share', () => {
  const printed = printStatistics(statisticsOf([counted(today, 'page-opened', 'person', 4)]))
  expect(printed).toMatch(/ {2}Page opened +4\n/)
  expect(printed).not.toMatch(/NaN|Infinity|%.*\d+ %/)
})

test('the ten most frequent sources are named, the others summed up, and none that holds an address', () => {
  const named = Array.from({ length: 13 }, (_, index) =>
    counted(today, 'came-from', `source-${index}`, 20 - index),
  )
  const others = [
    counted(today, 'came-from', 'other', 50),
    counted(today, 'came-from', 'ada@example.com', 40),
  ]
  const printed = printStatistics(
    statisticsOf([...named, ...others, counted(today, 'signed-up', 'hero', 272)]),
  )
  expect(printed.match(/^ {2}source-\d+ /gm)).toHaveLength(10)
  expect(printed).toMatch(/ {2}source-9 +11 +4 %.*\n {2}All others +117 /)
  expect(printed).not.toContain('ada')
})

test.each([hostileText, 'constructor', '__proto__'])('a source %j is printed and does nothing', (source) => {
  const counts = [counted(today, 'signed-up', source, 1), counted(today, 'came-from', source, 1)]
  const printed = printStatistics(statisticsOf([...counts, counted(today, 'limit-hit', source, 1)]))
  expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(printed.match(new RegExp(`^ {2}${source.slice(0, 11)}`, 'gm'))).toHaveLength(3)
})

test('whatever the number of days, every line fits 80 columns', () => {
  for (const days of [1, 2, 7, 28, 35, 66, 67, 200, 366]) {
    const { period } = statisticsOf([], days)
    const counts = everyDay(period).flatMap((day, index) => [
      counted(day, 'signed-up', 'hero', 10_000 + index),
      counted(day, 'came-from', 'a-source-with-a-very-long-name-of-its-own', 10_000),
      counted(day, 'page-opened', 'person', 30_000),
      counted(day, 'page-opened', 'machine', 1_000),
    ])
    const lines = printStatistics(statisticsOf(counts, days)).split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
  }
})

test('a chart of bars keeps to scale, and shows the smallest number that is not 0', () => {
  const bars = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day, index) => ({
    day,
    count: [64, 1, 0][index]!,
  }))
  const lines = printBars(bars).split('\n')
  expect(lines[0]).toBe('Sign-ups a day')
  expect(lines[1]).toBe('   64 ┤███████')
  expect(lines[8]).toBe('      ┤███████ ▁▁▁▁▁▁▁')
  expect(lines[9]).toBe(`    0 └${'─'.repeat(24)}`)
  expect(lines[10]).toBe('       1 Jan   2 Jan   3 Jan')
})

test('a chart of many days says how many are in a bar', () => {
  const { period } = statisticsOf([counted(today, 'signed-up', 'hero', 1)], 366)
  expect(printBars(period.signUpsByDay)).toMatch(/^Sign-ups\. Each bar is 7 days, the first 2\.\n/)
})

test('a lying bar keeps to its width', () => {
  expect([0, 0.001, 0.5, 0.53125, 1, 2].map((part) => lyingBar(part, 4))).toEqual([
    '',
    '▏',
    '██',
    '██▏',
    '████',
    '████',
  ])
})
