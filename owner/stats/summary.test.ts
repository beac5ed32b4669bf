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

test('sign-ups of a day add up over forms, a day without one counts 0, and other days are left out', () => {
  const { signUpsByDay, erased } = summarize(
    [
      counted('2026-02-28', 'signed-up', 'hero', 9),
      counted('2026-03-01', 'signed-up', 'hero', 2),
      counted('2026-03-01', 'signed-up', 'closing', 1),
      counted('2026-03-03', 'signed-up', 'closing', 4),
      counted('2026-03-03', 'erased', '', 7),
      counted('2026-03-04', 'erased', '', 5),
    ],
    daysEnding('2026-03-03', 3),
  )
  expect(signUpsByDay.map(({ count }) => count)).toEqual([3, 0, 4])
  expect(erased).toBe(7)
})

test('sign-ups of programs are not among those of the forms', () => {
  const forms = { hero: 3, closing: 2, program: 40, unknown: 1 }
  const counts = Object.entries(forms).map(([form, count]) => counted('2026-03-01', 'signed-up', form, count))
  expect(summarize(counts, oneDay)).toMatchObject({ signUps: 46, signUpsViaForms: 6 })
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
