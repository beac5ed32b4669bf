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

test('counts add up over kinds and days, and other days are left out', () => {
  const { signUps, byForm, erased, failed, pageOpened } = summarize(
    [
      counted('2026-02-28', 'signed-up', 'hero', 9),
      counted('2026-03-01', 'signed-up', 'hero', 2),
      counted('2026-03-01', 'signed-up', 'closing', 3),
      counted('2026-03-03', 'signed-up', 'closing', 4),
      counted('2026-03-03', 'erased', '', 7),
      counted('2026-03-04', 'erased', '', 5),
    ],
    daysEnding('2026-03-03', 3),
  )
  expect({ signUps, erased, failed, pageOpened }).toEqual({
    signUps: 9,
    erased: 7,
    failed: 0,
    pageOpened: { people: 0, machines: 0 },
  })
  expect(byForm).toEqual([
    { detail: 'closing', count: 7 },
    { detail: 'hero', count: 2 },
  ])
})

test('a mail that failed is not among those that came back, although its address counts as bounced', () => {
  const counts = [counted('2026-03-01', 'failed', '', 2), counted('2026-03-01', 'bounced', '', 5)]
  expect(summarize(counts, oneDay)).toMatchObject({ failed: 2, bounced: 3 })
})

test('sign-ups of programs are not among those of the forms', () => {
  const forms = { hero: 3, closing: 2, program: 40, unknown: 1 }
  const counts = Object.entries(forms).map(([form, count]) => counted('2026-03-01', 'signed-up', form, count))
  expect(summarize(counts, oneDay)).toMatchObject({ signUps: 46, signUpsViaForms: 6 })
})
