export interface RelayWatch {
  /** Told of each try: whether nobody was there to take any mail at all. */
  note(isAway: boolean): void
  isAway(): boolean
  /** How long not to ask it again, in ms. */
  waitMs(): number
}

const firstWaitMs = 250
const longestWaitMs = 5_000

/**
 * While the relay is away one mail now and then asks whether it is back; the others keep their place and their tries. Each
 * would fail alike, and what became of it be written to the disk that the sign-ups need.
 */
export function watchRelay(now: () => number): RelayWatch {
  let wait = 0
  let askAgainAt = 0
  return {
    note(isAway) {
      if (!isAway) wait = askAgainAt = 0
      else if (now() >= askAgainAt) {
        wait = Math.min(Math.max(firstWaitMs, wait * 2), longestWaitMs)
        askAgainAt = now() + wait
      }
    },
    isAway: () => wait > 0,
    waitMs: () => Math.max(0, askAgainAt - now()),
  }
}
