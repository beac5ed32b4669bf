import type { ClaimedMail, Outcome } from './deliveries.ts'
import { announcementLane } from './lanes.ts'

const keptSamples = 32
/** An attempt that takes this long, and twice as long as any lately, holds up what comes after it: the relay is mute. */
const leastPatienceMs = 3_000

/** How mail has lately left us, as this process knows it. The receipts of sign-ups without a mail follow it (docs/decisions/0043). */
export class MailFlow {
  readonly #now: () => number
  readonly #random: () => number
  readonly #samples: number[] = []
  readonly #attempts = new Set<{ begunAt: number }>()
  #isHeld = false
  /** The last time that mail was held. */
  #heldFrom = Infinity
  #heldUntil = 0

  /** `now`: ms since 1970. */
  constructor(now: () => number, random: () => number = Math.random) {
    this.#now = now
    this.#random = random
  }

  /** An attempt begins. Returns what to call at its end; without an outcome it broke off. */
  begin() {
    const attempt = { begunAt: this.#now() }
    this.#attempts.add(attempt)
    return (outcome: Outcome | undefined) => {
      this.#attempts.delete(attempt)
      if (outcome?.kind === 'sent') this.#noteSent(outcome.mail)
      else if (outcome && 'isRelayAway' in outcome && outcome.isRelayAway)
        this.#hold(Math.min(this.#now(), attempt.begunAt + this.#patienceMs()))
    }
  }

  /** Nothing goes out from now on: the ceiling of the site is reached. */
  noteHeld(): void {
    this.#hold(this.#now())
  }

  /** How long one of the last mails took, chosen by chance; 0 before the first. */
  sampleMs(): number {
    return this.#samples[Math.floor(this.#random() * this.#samples.length)] ?? 0
  }

  /** When a mail that could leave at `at` has left. Undefined: mail has been held since then. */
  leftAt(at: number): number | undefined {
    const oldest = Math.min(...Array.from(this.#attempts, ({ begunAt }) => begunAt))
    if ((this.#isHeld && at >= this.#heldFrom) || at >= oldest + this.#patienceMs()) return undefined
    return at >= this.#heldFrom ? Math.max(at, this.#heldUntil) : at
  }

  #patienceMs(): number {
    return Math.max(leastPatienceMs, 2 * Math.max(...this.#samples))
  }

  #hold(from: number): void {
    if (!this.#isHeld) this.#heldFrom = from
    this.#isHeld = true
  }

  #noteSent({ failures, queued_at, lane }: ClaimedMail): void {
    if (this.#isHeld) this.#heldUntil = this.#now()
    this.#isHeld = false
    if (failures === 0 && lane !== announcementLane) this.#samples.push(this.#now() - queued_at)
    if (this.#samples.length > keptSamples) this.#samples.shift()
  }
}
