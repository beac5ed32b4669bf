import sql from 'sql-template-tag'
import { dayMs } from '../database/clock.ts'
import type { Reader } from '../database/database.ts'
import type { SubscriberState } from '../subscribers/subscribers.ts'

/** A subscriber of an inbox, with the starter mails that were queued to it today. */
export interface InboxEntry {
  id: number
  identity: string
  state: SubscriberState
  /** The time at which their newest starter mail was queued, or null. */
  last_mail_at: number | null
  /** Starter mails queued within the last 24 hours. Cancelled ones do not count. */
  mails: number
  /** When the first of them was queued. */
  first_mail_at: number | null
  /** Any starter mail is not finished yet. */
  is_mail_under_way: 0 | 1
}

/** Reads everybody who shares an inbox: the addresses with the same abuse key. */
export function readInbox(reader: Reader, key: string, now: number): Promise<InboxEntry[]> {
  const isToday = sql`d.queued_at > ${now - dayMs}`
  return reader.rows<InboxEntry>(sql`
    select s.id, s.identity, s.state, max(d.queued_at) as last_mail_at,
      count(d.id) filter (where ${isToday}) as mails,
      min(d.queued_at) filter (where ${isToday}) as first_mail_at,
      max(case when d.state in ('queued', 'sending') then 1 else 0 end) as is_mail_under_way
    from subscribers s
      left join deliveries d
        on d.subscriber = s.id and d.mailing is null and d.state <> 'cancelled'
    where s.identity = ${key} or s.abuse_key = ${key}
    group by s.id`)
}
