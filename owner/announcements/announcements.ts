import sql, { type Sql } from 'sql-template-tag'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { CommandError } from '../command-line/command-context.ts'
import type { Pace } from './pace/slow-start.ts'

/**
 * Times are ms since 1970. The columns are explained in
 * app/server/database/migrations/0001-first.sql and owner/tables/0006-announcement-figures.sql.
 */
export interface Announcement extends Announceable, Pace {
  id: number
  to: Audience
  state: 'running' | 'paused' | 'cancelled' | 'done'
  subject: string
  template: string
  startsAt: number
  resumedAt: number
  releasedUpTo: number
  pausedWhy: string | null
  endedAt: number | null
  stillToCome: number
  /** These three are kept once it has ended and none of its mail is under way. */
  sent: number | null
  failed: number | null
  cancelled: number | null
}

export function readAnnouncements(reader: Reader, which: Sql): Promise<Announcement[]> {
  return reader.rows(sql`
    select id, name, kind, audience as "to", state, subject, template,
      signed_up_before as "signedUpBefore", starts_at as "startsAt", resumed_at as "resumedAt",
      per_hour as "perHour", most_per_hour as "mostPerHour", released_up_to as "releasedUpTo",
      paused_why as "pausedWhy", ended_at as "endedAt", still_to_come as "stillToCome",
      sent, failed, cancelled
    from announcements ${which}`)
}

export type Audience = 'consented' | 'everyone'

/** A version or a letter that can be announced. */
export interface Announceable {
  /** The version, or the letter's file name without .md. */
  name: string
  kind: 'version' | 'letter'
  /**
   * ms since 1970. People who signed up later have the version. Undefined: the start of the
   * announcement.
   */
  signedUpBefore?: number | undefined
}

export interface AnnouncementOrder extends Announceable, Pace {
  to: Audience
  /** The mail for the audience. */
  template: StarterEmailTemplate
  /** Starts now. By default it starts in a minute. */
  isStartedNow?: boolean
}

/** Until then an announcement can be taken back. */
export const beforeStartMs = 60_000

/**
 * Stores an announcement, or widens one of the same name: it begins again, and goes to those who
 * have no mail of it. If it has paused it stays paused.
 */
export async function storeAnnouncement(
  transaction: Transaction,
  order: AnnouncementOrder,
  { stillToCome, now }: { stillToCome: number; now: number },
): Promise<void> {
  const startsAt = order.isStartedNow ? now : now + beforeStartMs
  const { name, kind, to, perHour = null, mostPerHour = null, signedUpBefore = startsAt } = order
  const subject = kind === 'letter' ? order.template.subject : ''
  const template = await keepTemplate(transaction, order.template)
  await transaction.run(sql`
    insert into announcements
      (name, kind, audience, state, subject, template, signed_up_before, starts_at, resumed_at,
        per_hour, most_per_hour, still_to_come)
    values (${name}, ${kind}, ${to}, 'running', ${subject}, ${template}, ${signedUpBefore},
      ${startsAt}, ${startsAt}, ${perHour}, ${mostPerHour}, ${stillToCome})
    on conflict (name) do update set
      audience = excluded.audience, subject = excluded.subject, template = excluded.template,
      state = case when announcements.state = 'paused' then 'paused' else 'running' end,
      signed_up_before = excluded.signed_up_before, starts_at = excluded.starts_at,
      resumed_at = excluded.resumed_at, per_hour = excluded.per_hour,
      most_per_hour = excluded.most_per_hour, still_to_come = excluded.still_to_come,
      released_up_to = 0, ended_at = null, sent = null, failed = null, cancelled = null`)
}

export type Change = 'pause' | 'resume' | 'cancel'

interface AnnouncementChange {
  allowedFrom: readonly Announcement['state'][]
  apply(transaction: Transaction, id: number, now: number): Promise<void>
}

const changes: Record<Change, AnnouncementChange> = {
  pause: { allowedFrom: ['running'], apply: (transaction, id) => pause(transaction, id, null) },
  resume: { allowedFrom: ['paused'], apply: resume },
  cancel: { allowedFrom: ['running', 'paused'], apply: cancel },
}

export function changeAnnouncement(
  database: Database,
  name: string,
  change: Change,
  now: number,
): Promise<void> {
  return database.transaction(async (transaction) => {
    const announcement = await lockAnnouncement(transaction, name)
    if (!announcement) throw new CommandError(`${name} was not announced.`)
    const { allowedFrom, apply } = changes[change]
    const { id, state } = announcement
    if (!allowedFrom.includes(state)) throw new CommandError(`${name} is ${state}.`)
    await apply(transaction, id, now)
  })
}

/**
 * Stops sending, and holds the mails that are queued. The worker holds those it has claimed. `why`:
 * it pauses automatically. The caller has locked the announcement.
 */
export async function pause(
  transaction: Transaction,
  id: number,
  why: string | null,
): Promise<void> {
  await transaction.run(
    sql`update announcements set state = 'paused', paused_why = ${why} where id = ${id}`,
  )
  await transaction.run(sql`
    update deliveries set state = 'held', worker = null
    where announcement = ${id} and state = 'queued'`)
}

/**
 * Begins the slow start again; release.ts sends what was held first. After an automatic pause
 * --per-hour no longer holds.
 */
async function resume(transaction: Transaction, id: number, now: number): Promise<void> {
  await transaction.run(sql`
    update announcements set state = 'running', resumed_at = ${now}, paused_why = null,
      per_hour = case when paused_why is null then per_hour end
    where id = ${id}`)
}

/**
 * Sends nothing more, for good. An announcement without any mail yet is taken back: nothing is left
 * of it.
 */
async function cancel(transaction: Transaction, id: number, now: number): Promise<void> {
  const mails = sql`select 1 from deliveries where announcement = ${id}`
  await transaction.run(sql`delete from announcements where id = ${id} and not exists (${mails})`)
  await transaction.run(sql`
    update announcements
    set state = 'cancelled', ended_at = ${now}, paused_why = null, still_to_come = 0
    where id = ${id}`)
  await transaction.run(sql`
    update deliveries set state = 'cancelled', finished_at = ${now}
    where announcement = ${id} and state in ('queued', 'held')`)
}

/** Reads it behind a lock, so that two changes, or a change and a release, follow each other. */
export async function lockAnnouncement(
  transaction: Transaction,
  name: string,
): Promise<Announcement | undefined> {
  await transaction.lock(`announcement ${name}`)
  return (await readAnnouncements(transaction, sql`where name = ${name}`))[0]
}
