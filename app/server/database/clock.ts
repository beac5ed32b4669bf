import sql, { type Sql } from 'sql-template-tag'

export const dayMs = 24 * 60 * 60_000

/**
 * Another instance's clock may be ahead by this, and so may be what was written while a transaction
 * waited for a lock. What is further ahead was written by a clock that was wrong.
 */
export const clockToleranceMs = 60_000

/**
 * True once a wait has ended. A wait that would end later than `longestMs` from now began while the
 * clock was ahead: it is over, so that nothing stands still after a clock is set back.
 */
export function isWaitOver(endsAt: number, now: number, longestMs: number): boolean {
  return endsAt <= now || endsAt > now + longestMs + clockToleranceMs
}

/** Tells in SQL, for a column, if its wait goes on. */
export function isWaiting(column: Sql, now: number, longestMs: number): Sql {
  return sql`${column} between ${now + 1} and ${now + longestMs + clockToleranceMs}`
}

/**
 * A clock that is wrong when a machine starts is set right within the hour. Until a process is so
 * old it deletes nothing by its age. `uptimeMs`: of the process, which no clock changes.
 */
export function canTrustClock(uptimeMs: number): boolean {
  return uptimeMs >= 60 * 60_000
}
