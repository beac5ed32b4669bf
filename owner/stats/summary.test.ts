import { expect, test } from 'vitest'
import type { CountedEvent, DailyCount } from '#server/statistics/daily-counts.ts'
import { daysBefore, daysEnding, summarize } from './summary.ts'

const counted = (day: string, event: CountedEvent, detail: string, count: number): DailyCount => ({
  day,
  event,
  detail,
  count,
})
const oneDay = daysEnding('2026-03-01', 1)

test('the days before a period are as many, also across months', () => {
  const days = daysEnding('2026-03-02', 3)
  expect(days).toEqual({ from: '2026-02-28', to: '2026-03-02' })
  expect(daysBefore(days)).toEqual({ from: '2026-02-25', to: '2026-02-27' })
  expect(daysBefore(oneDay)).toEqual({ from: '2026-02-28', to: '2026-02-28' })
})

test('without counts every figure is 0 and every day is listed', () => {
  const { signUpsByDay, byForm, bySource, limitsHit, pageOpened, ...rest } = summarize(
    [],
    daysEnding('2026-03-01', 2),
  )
  expect(signUpsByDay).toEqual([
    { day: '2026-02-28', count: 0 },
    { day: '2026-03-01', count: 0 },
  ])
  expect([byForm, bySource, limitsHit]).toEqual([[], [], []])
  expect(pageOpened).toEqual({ people: 0, machines: 0 })
  expect(rest).toMatchObject({ signUps: 0, delivered: 0, failed: 0 })
})

test('sign-ups of a day add up over forms, and a day without one counts 0', () => {
  const { signUps, signUpsByDay, byForm } = summarize(
    [
      counted('2026-03-01', 'signed-up', 'hero', 2),
      counted('2026-03-01', 'signed-up', 'closing', 1),
      counted('2026-03-03', 'signed-up', 'closing', 4),
    ],
    daysEnding('2026-03-03', 3),
  )
  expect(signUps).toBe(7)
  expect(signUpsByDay.map(({ count }) => count)).toEqual([3, 0, 4])
  expect(byForm).toEqual([
    { detail: 'closing', count: 5 },
    { detail: 'hero', count: 2 },
  ])
})

test('days before and after the period are left out', () => {
  const counts = ['2026-02-28', '2026-03-01', '2026-03-02'].map((day) => counted(day, 'delivered', '', 1))
  expect(summarize(counts, oneDay).delivered).toBe(1)
})

test('visits of people and of machines are counted apart', () => {
  const summary = summarize(
    [
      counted('2026-03-01', 'page-opened', 'person', 5),
      counted('2026-03-01', 'page-opened', 'machine', 9),
      counted('2026-03-01', 'script-downloaded', 'person', 3),
      counted('2026-03-01', 'guide-downloaded', 'machine', 2),
    ],
    oneDay,
  )
  expect(summary.pageOpened).toEqual({ people: 5, machines: 9 })
  expect(summary.scriptDownloaded).toEqual({ people: 3, machines: 0 })
  expect(summary.guideDownloaded).toEqual({ people: 0, machines: 2 })
})

test('every other event has a separate figure', () => {
  const events = ['listed-already', 'typo-rescued', 'delivered', 'failed', 'bounced', 'unsubscribed'] as const
  const counts = [...events, 'erased' as const].map((event, index) =>
    counted('2026-03-01', event, '', index + 1),
  )
  expect(summarize([...counts, counted('2026-03-01', 'limit-hit', 'site', 8)], oneDay)).toMatchObject({
    repeated: 1,
    typosRescued: 2,
    delivered: 3,
    failed: 4,
    bounced: 5,
    unsubscribed: 6,
    erased: 7,
    limitsHit: [{ detail: 'site', count: 8 }],
  })
})

test('campaigns come most frequent first, equal ones by name', () => {
  const named = { newsletter: 2, none: 5, forum: 2 }
  const counts = Object.entries(named).map(([name, count]) => counted('2026-03-01', 'came-from', name, count))
  expect(summarize(counts, oneDay).bySource.map(({ detail }) => detail)).toEqual([
    'none',
    'forum',
    'newsletter',
  ])
})
