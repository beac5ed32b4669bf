const firstWaitMs = 250
const longestWaitMs = 5_000
/** Each wait is this share of the one before, once a relay that refused mails takes them again. */
const nextShare = 0.9
/** The first wait after a relay that took no mail for long takes some again. */
const waitAfterAbsenceMs = 1_000
/** A relay may ask for more; it is asked again after this time all the same. */
const longestRetryAfterMs = 60 * 60_000

interface RelayFault {
  /** It answered our mail, so it can be reached, and may be throttling us. */
  isRefusal?: boolean
  retryAfterMs?: number | undefined
}

/**
 * The pace at which this process tries the relay. Its row (`mail-state.ts`) tells everybody else if
 * it takes mail; the pace is in no row, because each process tries for itself, and a start at once.
 */
export interface RelayWatch {
  /** Called after an attempt that the relay answered for the mail's own sake. */
  reportAnswer(): void
  /** Called after an attempt that failed because of the relay or us. */
  reportFault(fault?: RelayFault): void
  /**
   * True from a fault until the relay takes mail as fast as we send it: mails then go one at a
   * time, the newest first.
   */
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
  /** The last fault was a refusal. */
  let isRefusing = false
  /** When the relay asked to be tried again. */
  let retryAt = 0

  function waitForProbe(ms: number): void {
    probeWaitMs = Math.min(ms, longestWaitMs)
    probeAt = now() + probeWaitMs
  }

  return {
    reportAnswer() {
      // The probe has doubled the wait. At full speed at once, a relay that takes one mail a second
      // would refuse three for each that it takes.
      const lastMs = probeWaitMs / 2
      const nextMs = lastMs < longestWaitMs / 2 ? lastMs * nextShare : waitAfterAbsenceMs
      waitForProbe(isRefusing && nextMs >= firstWaitMs ? nextMs : 0)
    },
    reportFault({ isRefusal = false, retryAfterMs = 0 } = {}) {
      isRefusing = isRefusal
      if (probeWaitMs === 0) waitForProbe(firstWaitMs)
      if (retryAfterMs > 0) retryAt = now() + Math.min(retryAfterMs, longestRetryAfterMs)
    },
    isAway: () => probeWaitMs > 0,
    waitMs() {
      const untilProbeMs = probeWaitMs === 0 ? 0 : probeAt - now()
      const untilRetryMs = retryAt - now()
      // No wait is longer. It began while the clock was ahead.
      const isOver = untilProbeMs > longestWaitMs || untilRetryMs > longestRetryAfterMs
      return isOver ? 0 : Math.max(untilProbeMs, untilRetryMs, 0)
    },
    beginProbe() {
      if (probeWaitMs > 0) waitForProbe(probeWaitMs * 2)
    },
  }
}
