import sql from 'sql-template-tag'
import { clockToleranceMs, dayMs } from '../database/clock.ts'
import type { Reader } from '../database/database.ts'

/** A letter of the series that is later than this is left out. */
export const seriesLateMs = 3 * dayMs

/**
 * False also for a letter that is not due yet: the subscriber agreed again since it was queued, and
 * the series began again.
 */
export function isInTime(dueAt: number | null, now: number): boolean {
  return dueAt !== null && dueAt <= now + clockToleranceMs && now - dueAt <= seriesLateMs
}

interface MailToMany {
  id: number
  subscriber: number
  kind: string
}

/**
 * A person gets at most one mail of the site a day beside the starter mail, as far as the series is
 * concerned: its letters give way to an announcement, and to each other. Returns when the mail is
 * due again, or undefined if it may go.
 */
export async function findPutOff(
  reader: Reader,
  { id, subscriber, kind }: MailToMany,
  now: number,
): Promise<number | undefined> {
  type Other = { id: number; kind: string; state: string; sentAt: number | null }
  const isOfSeries = kind === 'series'
  const others = await reader.rows<Other>(sql`
    select o.id, a.kind, o.state, o.finished_at as "sentAt"
    from deliveries o join announcements a on a.id = o.announcement
    where o.subscriber = ${subscriber} and o.id <> ${id}
      and (a.kind = 'series' or ${isOfSeries ? 1 : 0} = 1)
      and (o.state in ('queued', 'sending')
        or o.state = 'sent' and o.finished_at between ${now - dayMs + 1} and ${now + clockToleranceMs})`)
  const sent = others.filter(({ state }) => state === 'sent')
  if (sent.length > 0) return Math.max(...sent.map(({ sentAt }) => sentAt!)) + dayMs

  if (isOfSeries) {
    const goesFirst = (other: Other) =>
      other.kind !== 'series' || (other.state === 'sending' && other.id < id)
    return others.some(goesFirst) ? now + dayMs : undefined
  }
  const isLetterBeingSent = others.some(({ state }) => state === 'sending')
  return isLetterBeingSent ? now + attemptMs : undefined
}

/** The attempt to send a letter of the series has mostly ended after this time. */
const attemptMs = 60_000
