const firstWaitMs = 250
const longestWaitMs = 5_000

/**
 * While the relay, or the receiver of webhooks, is away, single attempts probe it; the others keep their place and their
 * retries. Otherwise each of them would fail too, and recording the failures would slow down sign-ups.
 */
export function watchRelay(now: () => number) {
  const none = { ms: 0, endsAt: 0 }
  let probe = none
  /** As the relay asks. Stays in force even if a mail in flight is accepted meanwhile. */
  let retry = none
  const waitOf = (ms: number) => ({ ms, endsAt: now() + ms })
  const leftOf = ({ ms, endsAt }: typeof none) => {
    const leftMs = endsAt - now()
    return leftMs > ms ? 0 : Math.max(0, leftMs) // more: the clock was set back
  }
  return {
    /** Called after each attempt. `isAway`: any other would have failed too. `retryAfterMs`: as the relay asks. */
    report(isAway: boolean, retryAfterMs = 0): void {
      if (!isAway) probe = none
      else if (leftOf(probe) === 0)
        probe = waitOf(Math.min(Math.max(firstWaitMs, probe.ms * 2), longestWaitMs))
      if (isAway && retryAfterMs > leftOf(retry)) retry = waitOf(retryAfterMs)
    },
    isAway: () => probe.ms > 0,
    /** How long to leave the relay alone, in ms. */
    waitMs: () => Math.max(leftOf(probe), leftOf(retry)),
  }
}
