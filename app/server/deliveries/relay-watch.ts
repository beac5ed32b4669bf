const firstWaitMs = 250
const longestWaitMs = 5_000

/**
 * While the relay, or the receiver of webhooks, is away, single attempts probe it; the others keep their place and their
 * retries. Otherwise each of them would fail too, and recording the failures would slow down sign-ups.
 */
export function watchRelay(now: () => number) {
  let backoffMs = 0
  let nextProbeAt = 0
  /** Stays in force even if a mail in flight is accepted meanwhile. */
  let retryAfter = 0
  const probeWaitMs = () => {
    const waitMs = nextProbeAt - now()
    return waitMs > longestWaitMs ? 0 : Math.max(0, waitMs) // more: the clock was set back
  }
  return {
    /** Called after each attempt. `isAway`: any other would have failed too. `retryAfterMs`: as the relay asks. */
    report(isAway: boolean, retryAfterMs = 0): void {
      if (!isAway) backoffMs = nextProbeAt = 0
      else if (probeWaitMs() === 0) {
        backoffMs = Math.min(Math.max(firstWaitMs, backoffMs * 2), longestWaitMs)
        nextProbeAt = now() + backoffMs
      }
      if (isAway && retryAfterMs > 0) retryAfter = Math.max(retryAfter, now() + retryAfterMs)
    },
    isAway: () => backoffMs > 0,
    /** How long to leave the relay alone, in ms. */
    waitMs: () => Math.max(probeWaitMs(), retryAfter - now()),
  }
}
