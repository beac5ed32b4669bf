import { expect, test } from 'vitest'
import type { ClaimedMail, Outcome } from './deliveries.ts'
import { MailFlow } from './mail-flow.ts'

function makeFlow() {
  let time = 1_000
  const flow = new MailFlow(
    () => time,
    () => 0,
  )
  const nobody = { id: 1, subscriber: 1, message_id: '', template: '', address: '', token: '' }
  const mail: ClaimedMail = { ...nobody, queued_at: time, failures: 0, lane: 0 }
  const away: Outcome = { mail, kind: 'postponed', why: '', dueAt: 0, isRelayAway: true, retryAfterMs: 0 }
  /** An attempt that ends after so long. */
  const attempt = (afterMs: number, outcome: Outcome) => {
    const end = flow.begin()
    time += afterMs
    end(outcome)
  }
  const sent = (fields: Partial<ClaimedMail> = {}): Outcome => ({
    mail: { ...mail, ...fields },
    kind: 'sent',
    ms: 1,
  })
  return Object.assign(flow, { attempt, sent, away, advance: (ms: number) => void (time += ms) })
}

test('a sample is the time that a sign-up waited for its mail, never that of a repeated try or an announcement', () => {
  const flow = makeFlow()
  expect(flow.sampleMs()).toBe(0)
  flow.attempt(100, flow.sent({ failures: 1 }))
  flow.attempt(100, flow.sent({ lane: 9 }))
  expect(flow.sampleMs()).toBe(0)
  flow.attempt(100, flow.sent())
  expect(flow.sampleMs()).toBe(300)
})

test('mail is held from the first attempt that finds the relay away until one succeeds', () => {
  const flow = makeFlow()
  flow.attempt(40, flow.away)
  expect(flow.leftAt(1_039)).toBe(1_039)
  expect(flow.leftAt(1_040)).toBeUndefined()
  flow.attempt(960, flow.sent({ failures: 1 }))
  expect(flow.leftAt(1_500)).toBe(2_000)
  expect(flow.leftAt(2_500)).toBe(2_500)
})

test('a mute relay holds mail after 3 s, or twice the longest time of late, also once it is known to be away', () => {
  const flow = makeFlow()
  const end = flow.begin()
  flow.advance(30_000)
  expect(flow.leftAt(3_999)).toBe(3_999)
  expect(flow.leftAt(4_000)).toBeUndefined()
  end(flow.away)
  expect(flow.leftAt(3_999)).toBe(3_999)
  expect(flow.leftAt(4_000)).toBeUndefined()
})

test('the ceiling of the site holds mail', () => {
  const flow = makeFlow()
  flow.noteHeld()
  expect(flow.leftAt(1_000)).toBeUndefined()
})
