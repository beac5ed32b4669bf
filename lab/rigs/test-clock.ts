export interface TestClock {
  /** ms since 1970. */
  now: () => number
  advance(ms: number): void
}

/** Time that runs as ever but can be set forward. */
export function makeTestClock(): TestClock {
  let ahead = 0
  return { now: () => Date.now() + ahead, advance: (ms) => void (ahead += ms) }
}
