import sql, { join, type Sql } from 'sql-template-tag'
import type { MailTemplate } from '#site/mail/compose-mail.ts'
import type { Reader, Transaction } from '#server/database/database.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { hourMs, type Pace } from './pace/slow-start.ts'

/**
 * Times are ms since 1970. The columns are explained in
 * app/server/database/migrations/0001-first.sql and owner/tables/0006-announcement-figures.sql.
 */
export interface Announcement extends Announceable, Pace {
  id: number
  to: Audience
  state: 'running' | 'paused' | 'cancelled' | 'done'
  subject: string
  /** A letter has one: it is shown after the subject. */
  preview: string
  /** The owner's words. Null: they were not kept. */
  words: string | null
  /** Only people of these. Null: of all. */
  campaigns: string[] | null
  template: string
  startsAt: number
  /** The owner chose the moment. Null: it starts a minute after it was confirmed. */
  sendAt: number | null
  resumedAt: number
  releasedUpTo: number
  pausedAt: number | null
  pausedWhy: string | null
  endedAt: number | null
  stillToCome: number
  /** These three are kept once it has ended and none of its mail is under way. */
  sent: number | null
  failed: number | null
  cancelled: number | null
}

interface AnnouncementRow extends Omit<Announcement, 'campaigns'> {
  campaigns: string | null
}

export async function readAnnouncements(reader: Reader, which: Sql): Promise<Announcement[]> {
  const rows = await reader.rows<AnnouncementRow>(sql`
    select id, name, kind, audience as "to", state, subject, preview, words, campaigns, template,
      signed_up_before as "signedUpBefore", starts_at as "startsAt", send_at as "sendAt",
      resumed_at as "resumedAt", per_hour as "perHour", most_per_hour as "mostPerHour",
      released_up_to as "releasedUpTo", paused_at as "pausedAt", paused_why as "pausedWhy",
      ended_at as "endedAt", still_to_come as "stillToCome", sent, failed, cancelled
    from announcements ${which}`)
  return rows.map(({ campaigns, ...row }) => ({
    ...row,
    campaigns: campaigns === null ? null : JSON.parse(campaigns), // as storeAnnouncement wrote it
  }))
}

export type Audience = 'consented' | 'everyone'

/** A version or a letter that can be announced. */
export interface Announceable {
  /** The version, or the letter's file name without .md. */
  name: string
  kind: 'version' | 'letter' | 'series'
  /**
   * ms since 1970. People who signed up later have the version. Undefined: the start of the
   * announcement.
   */
  signedUpBefore?: number | undefined
}

export interface AnnouncementOrder extends Announceable, Pace {
  to: Audience
  /** Only people of these; `none`: who named none. Undefined: of all. */
  campaigns?: readonly string[] | undefined
  /** The mail for the audience. */
  template: MailTemplate
  /** The owner's words, which the archive keeps. */
  words?: string
  preview?: string | undefined
  /** Starts then. By default it starts in a minute. */
  sendAt?: number | undefined
  /** Starts now. By default it starts in a minute. */
  isStartedNow?: boolean
}

/** Until then an announcement can be taken back. */
export const beforeStartMs = 60_000

/**
 * Stores an announcement, or widens one of the same name: it begins again, and goes to those who
 * have no mail of it. If it has paused it stays paused, from its new start on: until then no hour
 * of the slow start passes.
 */
export async function storeAnnouncement(
  transaction: Transaction,
  order: AnnouncementOrder,
  { stillToCome, now }: { stillToCome: number; now: number },
): Promise<void> {
  const { name, kind, to, campaigns, words = null, preview = '', sendAt = null } = order
  const startsAt = sendAt ?? (order.isStartedNow ? now : now + beforeStartMs)
  const { perHour = null, mostPerHour = null, signedUpBefore = startsAt } = order
  const subject = kind === 'letter' ? order.template.subject : ''
  const template = await keepTemplate(transaction, order.template)
  await transaction.run(sql`
    insert into announcements
      (name, kind, audience, campaigns, state, subject, preview, words, template,
        signed_up_before, starts_at, send_at, resumed_at, per_hour, most_per_hour, still_to_come)
    values (${name}, ${kind}, ${to}, ${campaigns ? JSON.stringify(campaigns) : null}, 'running',
      ${subject}, ${preview}, ${words}, ${template}, ${signedUpBefore}, ${startsAt}, ${sendAt},
      ${startsAt}, ${perHour}, ${mostPerHour}, ${stillToCome})
    on conflict (name) do update set
      audience = excluded.audience, campaigns = excluded.campaigns, subject = excluded.subject,
      preview = excluded.preview, words = excluded.words, template = excluded.template,
      state = case when announcements.state = 'paused' then 'paused' else 'running' end,
      signed_up_before = excluded.signed_up_before, starts_at = excluded.starts_at,
      send_at = excluded.send_at,
      paused_at = case when announcements.state = 'paused' then excluded.starts_at end,
      resumed_at = excluded.resumed_at, per_hour = excluded.per_hour,
      most_per_hour = excluded.most_per_hour, still_to_come = excluded.still_to_come,
      released_up_to = 0, ended_at = null, sent = null, failed = null, cancelled = null`)
}

/**
 * Stops sending, and holds the mails that are queued. The worker holds those it has claimed. `why`:
 * it pauses automatically. The caller has locked the announcement.
 */
export async function pause(
  transaction: Transaction,
  id: number,
  { why, now }: { why: string | null; now: number },
): Promise<void> {
  await transaction.run(sql`
    update announcements set state = 'paused', paused_why = ${why}, paused_at = ${now}
    where id = ${id}`)
  await transaction.run(sql`
    update deliveries set state = 'held', worker = null
    where announcement = ${id} and state = 'queued'`)
}

/**
 * The slow start goes on where the owner stopped it. `startsOver`, as after an automatic pause: it
 * begins again, now or at a start that lies ahead, and --per-hour no longer holds. release.ts sends
 * what was held first.
 */
export async function resume(
  transaction: Transaction,
  { id, pausedAt, startsAt, resumedAt }: Announcement,
  { startsOver, now }: { startsOver: boolean; now: number },
): Promise<void> {
  const hourAt = (time: number) => Math.max(0, Math.floor((time - resumedAt) / hourMs))
  // Whole hours: what was sent in the hour of the pause still counts in it.
  const stoodStillMs = Math.max(0, hourAt(now) - hourAt(pausedAt ?? now)) * hourMs
  await transaction.run(sql`
    update announcements set state = 'running', paused_why = null, paused_at = null,
      resumed_at = ${startsOver ? Math.max(now, startsAt) : resumedAt + stoodStillMs},
      per_hour = case when ${startsOver ? 1 : 0} = 1 then null else per_hour end
    where id = ${id}`)
}

/**
 * Sends nothing more. An announcement without any mail yet is taken back: nothing is left of it.
 * True: it was taken back.
 */
export async function cancel(transaction: Transaction, id: number, now: number): Promise<boolean> {
  const mails = sql`select 1 from deliveries where announcement = ${id}`
  const takenBack = await transaction.run(
    sql`delete from announcements where id = ${id} and not exists (${mails})`,
  )
  await transaction.run(sql`
    update announcements
    set state = 'cancelled', ended_at = ${now}, paused_why = null, still_to_come = 0
    where id = ${id}`)
  await transaction.run(sql`
    update deliveries set state = 'cancelled', finished_at = ${now}
    where announcement = ${id} and state in ('queued', 'held')`)
  return takenBack > 0
}

/**
 * Goes on with one that was cancelled, with a slow start, now or at a start that lies ahead. Its
 * cancelled mails are held, so that release.ts sends them; the worker skips people who have left since.
 * `stillToCome`: people without any mail of it.
 */
export async function finish(
  transaction: Transaction,
  { id, startsAt }: Announcement,
  { stillToCome, now }: { stillToCome: number; now: number },
): Promise<void> {
  await transaction.run(sql`
    update announcements set state = 'running', resumed_at = ${Math.max(now, startsAt)},
      ended_at = null, still_to_come = ${stillToCome}, sent = null, failed = null, cancelled = null
    where id = ${id}`)
  await transaction.run(sql`
    update deliveries set state = 'held', finished_at = null
    where announcement = ${id} and state = 'cancelled'`)
}

/** Tells in SQL if a subscriber `s` came by one of these campaigns. */
export function isOfCampaigns(campaigns: readonly string[] | null): Sql {
  if (campaigns === null) return sql`1 = 1`
  if (campaigns.length === 0) return sql`1 = 0`
  return sql`coalesce(s.campaign, 'none') in (${join([...campaigns])})`
}

/** Reads it behind a lock, so that two changes, or a change and a release, follow each other. */
export async function lockAnnouncement(
  transaction: Transaction,
  name: string,
): Promise<Announcement | undefined> {
  await transaction.lock(`announcement ${name}`)
  return (await readAnnouncements(transaction, sql`where name = ${name}`))[0]
}
