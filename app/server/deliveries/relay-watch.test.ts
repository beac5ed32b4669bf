import { expect, test } from 'vitest'
import { watchRelay } from './relay-watch.ts'

test('the wait doubles up to 5 s while the relay is away, and ends with the first accepted mail', () => {
  let time = 0
  const relay = watchRelay(() => time)
  const waits = Array.from({ length: 7 }, () => {
    relay.report(true)
    relay.report(true) // sent at the same moment: no further doubling
    const wait = relay.waitMs()
    time += wait
    return wait
  })
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
  expect([relay.isAway(), relay.waitMs()]).toEqual([true, 0])
  relay.report(false)
  expect([relay.isAway(), relay.waitMs()]).toEqual([false, 0])
})

test('Retry-After of a relay is respected, also when another mail is accepted meanwhile', () => {
  let time = 0
  const relay = watchRelay(() => time)
  relay.report(true, 60_000)
  relay.report(true)
  relay.report(false)
  expect(relay.waitMs()).toBe(60_000)
  time = 60_000
  expect([relay.isAway(), relay.waitMs()]).toEqual([false, 0])
})

test('a wait that the relay asked for is over when the clock is set back', () => {
  let time = Date.UTC(2026, 0, 5)
  const relay = watchRelay(() => time)
  relay.report(true, 60_000)
  expect(relay.waitMs()).toBe(60_000)
  time -= 24 * 60 * 60_000
  expect(relay.waitMs()).toBe(0)
})
