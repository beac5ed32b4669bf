/**
 * A delivery of a lower lane goes first. 0 to 3 hold the mail of sign-ups, by how much their network has signed up lately;
 * 9 holds announcements.
 */
export const lanes = [0, 1, 2, 3, 9] as const
export type Lane = (typeof lanes)[number]
export const announcementLane = 9
/** The due time of a parked delivery, whose hour has no room yet: the last time that a Date can hold. */
export const parkedUntil = 8.64e15

/** A sign-up goes one lane up for each of these numbers of earlier sign-ups that its network has reached. */
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

/** In a storm sign-ups with a proof of work go first, and the others still get their mail. */
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

/** Returns when the lane has room again: now, or later in the hour. */
export function opensAt(lane: Lane, hour: SiteHour, now: number): number {
  const { ceiling, used, endsAt } = hour
  if (roomIn(lane, hour, now) > 0) return now
  if (used >= ceiling) return endsAt
  return Math.ceil(endsAt - (hourMs * (1 - used / ceiling)) / reserves[lane]) + 1
}
