import { expect, onTestFinished, test, vi } from 'vitest'
import { counted, formatDay, formatDayAndTime, formatMoment, formatUtcDay } from './format.ts'
import { formatSpan } from '#owner/mail/span.ts'

const noon = new Date(2026, 10, 24, 12).getTime()
const dayMs = 24 * 60 * 60_000

function atNoon(): void {
  vi.useFakeTimers({ now: noon, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('a day has a year when it is not this one', () => {
  atNoon()
  expect(formatDay(noon - 300 * dayMs)).toBe('28 Jan')
  expect(formatDay(noon - 400 * dayMs)).toBe('20 Oct 2025')
  expect(formatUtcDay('2026-02-03')).toBe('3 Feb')
  expect(formatUtcDay('2025-02-03')).toBe('3 Feb 2025')
})

test('an hour of another day stands with its day', () => {
  atNoon()
  expect(formatDayAndTime(noon)).toBe('12:00')
  expect(formatDayAndTime(noon + 4 * dayMs)).toBe('28 Nov, 12:00')
})

test('the axis of a list shows the time of today, else the day', () => {
  atNoon()
  expect(formatMoment(noon)).toBe('12:00')
  expect(formatMoment(noon - dayMs)).toBe('23 Nov')
})

test.each([
  { ms: 0, span: '1 minute' },
  { ms: 119 * 60_000, span: '119 minutes' },
  { ms: 2 * 60 * 60_000, span: '2 hours' },
  { ms: 2 * dayMs, span: '2 days' },
])('$ms ms are $span', ({ ms, span }) => {
  expect(formatSpan(ms)).toBe(span)
})

test('one of a kind has no plural', () => {
  expect(counted(1, 'mail')).toBe('1 mail')
  expect(counted(1_214, 'person', 'people')).toBe('1,214 people')
})
