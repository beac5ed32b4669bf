import sql, { type Sql } from 'sql-template-tag'
import { clockToleranceMs } from '../database/clock.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { useLimit } from '../database/limit-windows.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Counts a mail that was handed over, in a row of its minute, so that the hour slides. */
export async function countHandOver(transaction: Transaction, now: number): Promise<void> {
  await useLimit(transaction, rowOfMinute(now), hourMs + minuteMs, now)
}

/**
 * Counts in SQL the mails that were handed over in the last hour. The minute that began an hour ago
 * counts as a whole, so that no 60 minutes have more than the ceiling. What is further ahead than
 * tolerated was counted by a clock that was wrong.
 */
export function handOversOfHour(now: number): Sql {
  return sql`(select cast(coalesce(sum(used), 0) as bigint) from limits
    where name between ${rowOfMinute(now - hourMs)} and ${rowOfMinute(now + clockToleranceMs)})`
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
    select name, used from limits
    where name between ${rowOfMinute(now - hourMs)} and ${rowOfMinute(now + clockToleranceMs)}
    order by name`)
  const used = minutes.reduce((sum, minute) => sum + minute.used, 0)
  let left = used
  let roomAt = now
  for (const minute of minutes) {
    if (left < limit) break
    left -= minute.used
    roomAt = (minuteOfRow(minute.name) + 1) * minuteMs + hourMs
  }
  return { used, roomAt }
}

function minuteOfRow(name: string): number {
  return Number(name.slice('mails '.length))
}

/** Padded to one width, so that the names sort by time. */
function rowOfMinute(now: number): string {
  return `mails ${String(Math.floor(now / minuteMs)).padStart(9, '0')}`
}
