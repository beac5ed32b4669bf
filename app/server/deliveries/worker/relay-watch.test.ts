import { expect, test } from 'vitest'
import { watchRelay } from './relay-watch.ts'

test('the wait doubles up to 5 s while the relay is away, and ends with its first answer', () => {
  let time = 0
  const relay = watchRelay(() => time)
  const waits = Array.from({ length: 7 }, () => {
    relay.beginProbe()
    relay.reportFault()
    relay.reportFault() // sent at the same moment: no further doubling
    const wait = relay.waitMs()
    time += wait
    return wait
  })
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
  expect([relay.isAway(), relay.waitMs()]).toEqual([true, 0])
  relay.reportAnswer()
  expect([relay.isAway(), relay.waitMs()]).toEqual([false, 0])
})

test('a probe that the relay never answers holds up the next one no longer than its wait', () => {
  let time = 0
  const relay = watchRelay(() => time)
  relay.reportFault()
  time = 250
  relay.beginProbe()
  expect(relay.waitMs()).toBe(500)
  time = 750
  expect([relay.isAway(), relay.waitMs()]).toEqual([true, 0])
})

test('a relay that takes one mail a second refuses few: each wait after an answer is a little shorter', () => {
  let time = 0
  let takenAt = -1_000
  const counts = { taken: 0, refused: 0 }
  const relay = watchRelay(() => time)
  while (time < 100_000) {
    if (relay.isAway()) relay.beginProbe()
    if (time - takenAt >= 1_000) {
      takenAt = time
      counts.taken += 1
      relay.reportAnswer()
    } else {
      counts.refused += 1
      relay.reportFault({ isRefusal: true })
    }
    time += Math.max(relay.waitMs(), 1)
  }
  expect(counts.taken).toBeGreaterThan(60)
  expect(counts.refused).toBeLessThan(counts.taken / 4)
})

test('a relay that refused mails and takes them again has all of them soon', () => {
  let time = 0
  const relay = watchRelay(() => time)
  for (let probe = 0; probe < 10; probe += 1) {
    relay.reportFault({ isRefusal: true })
    time += relay.waitMs()
    relay.beginProbe()
  }
  const from = time
  relay.reportAnswer()
  while (relay.isAway()) {
    time += relay.waitMs()
    relay.beginProbe()
    relay.reportAnswer()
  }
  expect(time - from).toBeLessThan(10_000)
})

test('Retry-After of a relay is respected, also when another mail is accepted meanwhile', () => {
  let time = 0
  const relay = watchRelay(() => time)
  relay.reportFault({ retryAfterMs: 60_000 })
  relay.reportFault()
  relay.reportAnswer()
  expect(relay.waitMs()).toBe(60_000)
  time = 60_000
  expect([relay.isAway(), relay.waitMs()]).toEqual([false, 0])
})

test('a wait that the relay asked for is an hour at most', () => {
  let time = 0
  const relay = watchRelay(() => time)
  relay.reportFault({ retryAfterMs: 24 * 60 * 60_000 })
  relay.reportAnswer()
  expect(relay.waitMs()).toBe(60 * 60_000)
})

test('a wait that the relay asked for is over when the clock is set back', () => {
  let time = Date.UTC(2026, 0, 5)
  const relay = watchRelay(() => time)
  relay.reportFault({ retryAfterMs: 60_000 })
  expect(relay.waitMs()).toBe(60_000)
  time -= 24 * 60 * 60_000
  expect(relay.waitMs()).toBe(0)
})

test('a wait for the next probe is over when the clock is set back', () => {
  let time = Date.UTC(2026, 0, 5)
  const relay = watchRelay(() => time)
  relay.reportFault()
  expect(relay.waitMs()).toBe(250)
  time -= 10_000
  expect(relay.waitMs()).toBe(0)
})
