import { expect, test } from 'vitest'
import { calendarFile, dayBefore } from './calendar-file.ts'

test.each([
  ['2026-12-01', '2026-11-30'],
  ['2027-01-01', '2026-12-31'],
  ['2028-03-01', '2028-02-29'],
  ['', undefined],
  ['2026-13-01', undefined],
])('the day before %j is %j', (day, before) => {
  expect(dayBefore(day)).toBe(before)
})

test('a calendar file holds one whole day, in lines of 75 octets at most', () => {
  const text = 'Renew it: make a new alert; the old one, “sent” nothing.\nThen '.repeat(3)
  const now = Date.UTC(2026, 10, 28, 13, 0, 5, 7)
  const file = calendarFile({ day: '2026-11-30', title: 'Ends, tomorrow', text, id: 'a@b' }, now)
  const lines = file.split('\r\n')
  expect(lines.pop()).toBe('')
  for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  const unfolded = file.replaceAll('\r\n ', '').split('\r\n')
  expect(unfolded).toEqual(
    expect.arrayContaining([
      'DTSTAMP:20261128T130005Z',
      'DTSTART;VALUE=DATE:20261130',
      'SUMMARY:Ends\\, tomorrow',
      `DESCRIPTION:${text.replaceAll(';', '\\;').replaceAll(',', '\\,').replaceAll('\n', '\\n')}`,
    ]),
  )
})
