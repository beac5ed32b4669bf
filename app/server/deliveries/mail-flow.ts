import type { ClaimedMail, Outcome } from './deliveries.ts'
import { announcementLane } from './lanes.ts'

/** How mail has lately left us, as this process knows it. The receipts of sign-ups without a mail follow it (docs/decisions/0043). */
export interface MailFlow {
  /** An attempt begins. Returns what to call at its end; without an outcome it broke off. */
  begin(): (outcome: Outcome | undefined) => void
  /** Nothing goes out from now on: the ceiling of the site is reached. */
  noteHeld(): void
  /** How long one of the last mails took, chosen by chance; 0 before the first. */
  sampleMs(): number
  /** When a mail that could leave at `at` has left. Undefined: mail has been held since then. */
  leftAt(at: number): number | undefined
}

const keptSamples = 32
/** An attempt that takes this long, and twice as long as any lately, holds up what comes after it: the relay is mute. */
const leastPatienceMs = 3_000

export function watchMailFlow(now: () => number, random: () => number = Math.random): MailFlow {
  const samples: number[] = []
  const attempts = new Set<{ begunAt: number }>()
  let isHeld = false
  /** The last time that mail was held. */
  let heldFrom = Infinity
  let heldUntil = 0

  const patienceMs = () => Math.max(leastPatienceMs, 2 * Math.max(...samples))

  function hold(from: number) {
    if (!isHeld) heldFrom = from
    isHeld = true
  }

  function noteSent({ failures, queued_at, lane }: ClaimedMail) {
    if (isHeld) heldUntil = now()
    isHeld = false
    if (failures === 0 && lane !== announcementLane) samples.push(now() - queued_at)
    if (samples.length > keptSamples) samples.shift()
  }

  return {
    begin() {
      const attempt = { begunAt: now() }
      attempts.add(attempt)
      return (outcome) => {
        attempts.delete(attempt)
        if (outcome?.kind === 'sent') noteSent(outcome.mail)
        else if (outcome && 'isRelayAway' in outcome && outcome.isRelayAway)
          hold(Math.min(now(), attempt.begunAt + patienceMs()))
      }
    },
    noteHeld: () => hold(now()),
    sampleMs: () => samples[Math.floor(random() * samples.length)] ?? 0,
    leftAt(at) {
      const oldest = Math.min(...Array.from(attempts, ({ begunAt }) => begunAt))
      if ((isHeld && at >= heldFrom) || at >= oldest + patienceMs()) return undefined
      return at >= heldFrom ? Math.max(at, heldUntil) : at
    },
  }
}
