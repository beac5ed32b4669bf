import { expect, test } from 'vitest'
import { simulate } from './launch-day.ts'

const day = { signUps: 10_000, mailsPerHour: 600, hours: 48 }

test('everybody who arrives is sent one mail', () => {
  const last = simulate(day).at(-1)!
  expect(last.arrived).toBeCloseTo(day.signUps)
  expect(last.sent).toBeCloseTo(day.signUps)
})

test('no hour sends more than the provider accepts', () => {
  const minutes = simulate(day)
  for (let hour = 0; hour < day.hours; hour += 1) {
    const before = hour === 0 ? 0 : minutes[hour * 60 - 1]!.sent
    expect(minutes[hour * 60 + 59]!.sent - before).toBeLessThanOrEqual(day.mailsPerHour + 1e-6)
  }
})

test('a provider with a higher limit makes the longest wait shorter', () => {
  const longest = (mailsPerHour: number) =>
    Math.max(...simulate({ ...day, mailsPerHour }).map((minute) => minute.waitMinutes))
  expect(longest(600)).toBeGreaterThan(longest(2_000))
  expect(longest(100_000)).toBe(0)
})
