/** Noon of a Monday, in ms since 1970: no test runs over midnight unless it says so. */
export const noon = Date.UTC(2026, 5, 15, 12)

export interface TestClock {
  /** ms since 1970. */
  now: () => number
  /** Sets it forward, or back with negative `ms`. */
  advance: (ms: number) => void
}

/** A clock that stands at noon until a test moves it. */
export function makeTestClock(): TestClock {
  let time = noon
  return { now: () => time, advance: (ms: number) => void (time += ms) }
}
