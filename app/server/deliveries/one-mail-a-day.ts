import sql from 'sql-template-tag'
import { clockToleranceMs, dayMs } from '../database/clock.ts'
import type { Reader } from '../database/database.ts'

/** A letter of the series that is later than this is left out. */
export const seriesLateMs = 3 * dayMs

/** False also if they agreed again since it was queued: it is due again, later. */
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
export async function roomInDay(
  reader: Reader,
  { id, subscriber, kind }: MailToMany,
  now: number,
): Promise<number | undefined> {
  type Other = { id: number; kind: string; state: string; sentAt: number | null }
  const others = await reader.rows<Other>(sql`
    select o.id, a.kind, o.state, o.finished_at as "sentAt"
    from deliveries o join announcements a on a.id = o.announcement
    where o.subscriber = ${subscriber} and o.id <> ${id}
      and (a.kind = 'series' or ${kind === 'series' ? 1 : 0} = 1)
      and (o.state in ('queued', 'sending')
        or o.state = 'sent' and o.finished_at between ${now - dayMs + 1} and ${now + clockToleranceMs})`)
  const sent = others.flatMap(({ state, sentAt }) => (state === 'sent' ? (sentAt ?? []) : []))
  if (sent.length > 0) return Math.max(...sent) + dayMs
  const isFirst = (other: Other) =>
    kind === 'series' && (other.kind !== 'series' || (other.state === 'sending' && other.id < id))
  if (others.some(isFirst)) return now + dayMs
  const isInHand = others.some((other) => kind !== 'series' && other.state === 'sending')
  return isInHand ? now + inHandMs : undefined
}

/** A letter of the series is being sent to them: its end is known soon. */
const inHandMs = 60_000
