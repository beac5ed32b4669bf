import { isWaitOver } from '../database/clock.ts'

const firstWaitMs = 250
const longestWaitMs = 5_000
/** A relay may ask for more; it is asked again after this time all the same. */
const longestRetryAfterMs = 60 * 60_000

/**
 * While the relay is away, single mails probe it, at longer and longer intervals. The others keep
 * their place.
 */
export function watchRelay(now: () => number) {
  let waitMs = 0
  let probeAt = 0
  let retryAt = 0
  return {
    /**
     * Called after each attempt. `isAway`: any other would have failed too. `retryAfterMs`: as the
     * relay asks.
     */
    report(isAway: boolean, retryAfterMs = 0): void {
      if (!isAway) waitMs = 0
      else if (isWaitOver(probeAt, now(), longestWaitMs)) {
        waitMs = Math.min(Math.max(firstWaitMs, waitMs * 2), longestWaitMs)
        probeAt = now() + waitMs
      }
      if (isAway && retryAfterMs > 0) retryAt = now() + Math.min(retryAfterMs, longestRetryAfterMs)
    },
    isAway: () => waitMs > 0,
    /** How long to leave the relay alone, in ms. */
    waitMs(): number {
      const probe = waitMs === 0 || isWaitOver(probeAt, now(), longestWaitMs) ? 0 : probeAt - now()
      const retry = isWaitOver(retryAt, now(), longestRetryAfterMs) ? 0 : retryAt - now()
      return Math.max(probe, retry)
    },
  }
}
