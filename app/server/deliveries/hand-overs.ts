import sql, { type Sql } from 'sql-template-tag'
import type { Reader, Transaction } from '../database/database.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** This share of the hour's ceiling is kept for the mail of quiet networks. */
export const quietShare = 1 / 4

/** Counts a mail that was handed over, by minute: they make a sliding hour. */
export async function countHandOver(transaction: Transaction, now: number): Promise<void> {
  await transaction.run(sql`
    insert into mail_minutes (minute, mails) values (${minuteOf(now)}, 1)
    on conflict (minute) do update set mails = mail_minutes.mails + 1`)
}

/**
 * Counts in SQL the mails that were handed over in the last hour. The minute that began an hour ago
 * counts as a whole, so that no 60 minutes have more than the ceiling.
 */
export function handOversOfHour(now: number): Sql {
  return sql`(select cast(coalesce(sum(mails), 0) as bigint) from mail_minutes
    where minute >= ${minuteOf(now - hourMs)})`
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
  const minutes = await reader.rows<{ minute: number; mails: number }>(sql`
    select minute, mails from mail_minutes where minute >= ${minuteOf(now - hourMs)}
    order by minute`)
  const used = minutes.reduce((sum, { mails }) => sum + mails, 0)
  let stillUsed = used
  let roomAt = now
  // The oldest minutes leave the sliding hour first.
  for (const { minute, mails } of minutes) {
    if (stillUsed < limit) break
    stillUsed -= mails
    roomAt = (minute + 1) * minuteMs + hourMs
  }
  return { used, roomAt }
}

/** Deletes the minutes that count no more. */
export async function dropOldMinutes(transaction: Transaction, now: number): Promise<void> {
  await transaction.run(sql`delete from mail_minutes where minute < ${minuteOf(now - hourMs)}`)
}

/** A mail of a minute to come was counted while the clock was ahead. */
export function forgetFutureMinutes(now: number): Sql {
  return sql`delete from mail_minutes where minute > ${minuteOf(now + minuteMs)}`
}

function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs)
}
