import { type RawBuilder, sql } from 'kysely'

/**
 * A delivery of a lower lane goes first. 0 to 3 hold the mail of sign-ups, by how much their network has signed up lately;
 * 9 holds announcements.
 */
export const lanes = [0, 1, 2, 3, 9] as const
export type Lane = (typeof lanes)[number]
export const announcementLane = 9
/** When a delivery of an announcement is due until its hour has room for it: the last time that a Date can hold. */
export const parkedUntil = 8.64e15

/** How many sign-ups of a network before one put it into the next lane. */
const laneStarts = [1, 4, 10]

/**
 * The share of the site's ceiling that is kept for lower lanes when the hour begins. It falls evenly to nothing at its end,
 * so lane 0 always has room and no mail of the ceiling is lost.
 */
const reserves: Record<Lane, number> = { 0: 0, 1: 0.75, 2: 0.75, 3: 0.75, 9: 0.9 }

export const hourMs = 60 * 60_000

/** The window of the site's ceiling. Times are ms since 1970. */
export interface SiteHour {
  /** Infinity: no ceiling. */
  ceiling: number
  used: number
  endsAt: number
}

/** `before`: sign-ups of the same network in its window. */
export function laneAfter(before: number): Lane {
  const lane = laneStarts.filter((start) => before >= start).length
  return lanes[lane]!
}

/** In a storm those who have done the work go first, and nobody is left out. */
export function laneInStorm(lane: Lane, isSolved: boolean): Lane {
  if (isSolved) return lane === 0 ? 0 : 1
  return lane === 0 ? 2 : 3
}

/** How many mails of the lane and of those below it may still go in this hour. */
export function roomIn(lane: Lane, { ceiling, used, endsAt }: SiteHour, now: number): number {
  if (ceiling === Infinity) return Infinity
  const kept = (reserves[lane] * (endsAt - now)) / hourMs
  return Math.ceil(ceiling * (1 - kept)) - used
}

/** When the lane has room again: now, or a later time of the hour. */
export function opensAt(lane: Lane, hour: SiteHour, now: number): number {
  const { ceiling, used, endsAt } = hour
  if (roomIn(lane, hour, now) > 0) return now
  if (used >= ceiling) return endsAt
  return Math.ceil(endsAt - (hourMs * (1 - used / ceiling)) / reserves[lane]) + 1
}

/** One query of all lanes, each of which looks at its own range of the index. Its text is constant, so it costs no time. */
export function ofEachLane(query: (lane: Lane) => string): RawBuilder<unknown> {
  return sql.raw(lanes.map(query).join(' union all '))
}
