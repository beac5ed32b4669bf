import { expect, test } from 'vitest'
import type { CountedEvent, DailyCount } from '#server/statistics/daily-counts.ts'
import { daysEnding, summarize } from './summary.ts'

const counted = (day: string, event: CountedEvent, detail: string, count: number): DailyCount => ({
  day,
  event,
  detail,
  count,
})
const oneDay = daysEnding('2026-03-01', 1)

test('a refused mail is not among those that came back, although its address counts as bounced', () => {
  const counts = [
    counted('2026-03-01', 'failed', 'refused', 2),
    counted('2026-03-01', 'bounced', '', 5),
  ]
  expect(summarize(counts, oneDay)).toMatchObject({ failed: 2, bounced: 3 })
})

test('mail that failed after its last retry takes nothing from the mail that came back', () => {
  const counts = [
    counted('2026-03-01', 'failed', 'gave-up', 10),
    counted('2026-03-01', 'bounced', '', 6),
  ]
  expect(summarize(counts, oneDay)).toMatchObject({ failed: 10, bounced: 6 })
})

test('the steps to a first alert are counted apart', () => {
  const steps = { opened: 5, entry: 3, both: 2 }
  const counts = Object.entries(steps).map(([step, count]) =>
    counted('2026-03-01', 'first-alert', step, count),
  )
  expect(summarize(counts, oneDay).firstAlert).toEqual(steps)
})

test('sign-ups of programs are not among those of the forms', () => {
  const forms = { hero: 3, closing: 2, program: 40, unknown: 1 }
  const counts = Object.entries(forms).map(([form, count]) =>
    counted('2026-03-01', 'signed-up', form, count),
  )
  expect(summarize(counts, oneDay)).toMatchObject({ signUps: 46, signUpsViaForms: 6 })
})
