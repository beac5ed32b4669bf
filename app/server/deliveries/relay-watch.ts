import { isWaitOver } from '../database/clock.ts'

const firstWaitMs = 250
const longestWaitMs = 5_000
/** A relay may ask for more; it is asked again after this time all the same. */
const longestRetryAfterMs = 60 * 60_000

/** Knows if the relay takes mail, and when to try it again. */
export interface RelayWatch {
  /** Called after an attempt that the relay answered for the mail's own sake. */
  reportAnswer(): void
  /** Called after an attempt that failed because of the relay or us. */
  reportFault(retryAfterMs?: number): void
  /** True from a fault to the next answer: mails then probe the relay one at a time. */
  isAway(): boolean
  /** How long to leave the relay alone, in ms. */
  waitMs(): number
  /**
   * Called before a probe. The next one waits twice as long from now, even if this one is still
   * unanswered then: a mail that the relay never answers holds up no other.
   */
  beginProbe(): void
}

/** `now`: ms since 1970. */
export function watchRelay(now: () => number): RelayWatch {
  /** 0 while the relay takes mail. */
  let probeWaitMs = 0
  let probeAt = 0
  /** When the relay asked to be tried again. */
  let retryAt = 0

  function waitForProbe(ms: number): void {
    probeWaitMs = Math.min(ms, longestWaitMs)
    probeAt = now() + probeWaitMs
  }

  return {
    reportAnswer() {
      probeWaitMs = 0
    },
    reportFault(retryAfterMs = 0) {
      if (probeWaitMs === 0) waitForProbe(firstWaitMs)
      if (retryAfterMs > 0) retryAt = now() + Math.min(retryAfterMs, longestRetryAfterMs)
    },
    isAway: () => probeWaitMs > 0,
    waitMs() {
      const isProbeDue = probeWaitMs === 0 || isWaitOver(probeAt, now(), longestWaitMs)
      const isRetryDue = isWaitOver(retryAt, now(), longestRetryAfterMs)
      const untilProbeMs = isProbeDue ? 0 : probeAt - now()
      const untilRetryMs = isRetryDue ? 0 : retryAt - now()
      return Math.max(untilProbeMs, untilRetryMs)
    },
    beginProbe() {
      if (probeWaitMs > 0) waitForProbe(probeWaitMs * 2)
    },
  }
}
