import sql, { type Sql } from 'sql-template-tag'
import { clockToleranceMs } from '../database/clock.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { useLimit } from '../database/limit-windows.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** `mails`: all of them. `mails-above-0`: those of busy networks and announcements. */
export type CountedMails = 'mails' | 'mails-above-0'

/** Counts a mail that was handed over, in rows by minute, which make a sliding hour. */
export async function countHandOver(
  transaction: Transaction,
  priority: number,
  now: number,
): Promise<void> {
  await useLimit(transaction, rowOfMinute('mails', now), hourMs + minuteMs, now)
  if (priority === 0) return
  await useLimit(transaction, rowOfMinute('mails-above-0', now), hourMs + minuteMs, now)
}

/**
 * Counts in SQL the mails that were handed over in the last hour. The minute that began an hour ago
 * counts as a whole, so that no 60 minutes have more than the ceiling. Rows further ahead than
 * tolerated were counted by a clock that was wrong, and are left out.
 */
export function handOversOfHour(counted: CountedMails, now: number): Sql {
  const isInHour = minutesOfHour(counted, now)
  return sql`(select cast(coalesce(sum(used), 0) as bigint) from limits where ${isInHour})`
}

function minutesOfHour(counted: CountedMails, now: number): Sql {
  const first = rowOfMinute(counted, now - hourMs)
  return sql`name between ${first} and ${rowOfMinute(counted, now + clockToleranceMs)}`
}

/** How far the hour's ceiling is used. Times are ms since 1970. */
export interface HourOfMail {
  used: number
  /** When fewer than the limit will have been handed over within the hour. */
  roomAt: number
}

/** `limit`: mails within an hour. */
export async function readHourOfMail(
  reader: Reader,
  now: number,
  limit: number,
): Promise<HourOfMail> {
  const minutes = await reader.rows<{ name: string; used: number }>(sql`
    select name, used from limits where ${minutesOfHour('mails', now)} order by name`)
  const used = minutes.reduce((sum, minute) => sum + minute.used, 0)
  let stillUsed = used
  let roomAt = now
  // The oldest minutes leave the sliding hour first.
  for (const minute of minutes) {
    if (stillUsed < limit) break
    stillUsed -= minute.used
    roomAt = (minuteOfRow(minute.name) + 1) * minuteMs + hourMs
  }
  return { used, roomAt }
}

function minuteOfRow(name: string): number {
  return Number(name.slice('mails '.length))
}

/** Padded to one width, so that the names sort by time. */
function rowOfMinute(counted: CountedMails, now: number): string {
  return `${counted} ${String(Math.floor(now / minuteMs)).padStart(9, '0')}`
}
