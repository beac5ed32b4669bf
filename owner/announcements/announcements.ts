import sql, { type Sql } from 'sql-template-tag'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { CommandError } from '../command-line/command-context.ts'
import type { Pace } from './slow-start.ts'

/**
 * Times are ms since 1970. The columns are explained in
 * app/server/database/migrations/0001-first.sql.
 */
export interface Announcement extends Announceable, Pace {
  id: number
  to: Audience
  state: 'running' | 'paused' | 'cancelled' | 'done'
  template: string
  startsAt: number
  resumedAt: number
  releasedUpTo: number
  pausedWhy: string | null
  endedAt: number | null
}

export function readAnnouncements(reader: Reader, which: Sql): Promise<Announcement[]> {
  return reader.rows(sql`
    select id, name, kind, audience as "to", state, template, signed_up_before as "signedUpBefore",
      starts_at as "startsAt", resumed_at as "resumedAt", per_hour as "perHour", most_per_hour as "mostPerHour",
      released_up_to as "releasedUpTo", paused_why as "pausedWhy", ended_at as "endedAt"
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
 * Stores an announcement with the moment when it starts; release.ts sends it. A second one of the
 * same name continues the first, or widens it from those who asked for it to everyone. False: the
 * first stays as it is.
 */
export function startAnnouncement(database: Database, order: AnnouncementOrder, now: number) {
  return database.transaction(async (transaction) => {
    const { name, kind, to } = order
    const before = await lockAnnouncement(transaction, name)
    if (before && before.kind !== kind) {
      throw new CommandError(`There is another announcement named ${name}.`)
    }
    if (before?.state === 'cancelled') throw new CommandError(`${name} was cancelled for good.`)
    if (before && (before.to === to || to === 'consented')) return false

    const startsAt = order.isStartedNow ? now : now + beforeStartMs
    const { perHour = null, mostPerHour = null, signedUpBefore = startsAt } = order
    const template = await keepTemplate(transaction, order.template)
    // A widened announcement that has paused stays paused.
    await transaction.run(sql`
      insert into announcements
        (name, kind, audience, state, template, signed_up_before, starts_at, resumed_at, per_hour, most_per_hour)
      values (${name}, ${kind}, ${to}, 'running', ${template}, ${signedUpBefore}, ${startsAt}, ${startsAt},
        ${perHour}, ${mostPerHour})
      on conflict (name) do update set audience = excluded.audience, template = excluded.template,
        state = case when announcements.state = 'paused' then 'paused' else 'running' end,
        signed_up_before = excluded.signed_up_before, starts_at = excluded.starts_at, resumed_at = excluded.resumed_at,
        per_hour = excluded.per_hour, most_per_hour = excluded.most_per_hour, released_up_to = 0, ended_at = null`)
    return true
  })
}

/** The states from which an announcement can be changed. */
const from = { pause: ['running'], resume: ['paused'], cancel: ['running', 'paused'] }
export type Change = keyof typeof from

/**
 * `resume` begins the slow start again; release.ts sends what was held first. After an automatic
 * pause --per-hour no longer holds. `cancel` sends nothing more, for good. An announcement without
 * any mail yet is taken back: nothing is left of it.
 */
export function changeAnnouncement(database: Database, name: string, change: Change, now: number) {
  return database.transaction(async (transaction) => {
    const announcement = await lockAnnouncement(transaction, name)
    if (!announcement) throw new CommandError(`${name} was not announced.`)
    const { id, state } = announcement
    if (!from[change].includes(state)) throw new CommandError(`${name} is ${state}.`)
    if (change === 'pause') await pause(transaction, id, null)
    if (change === 'resume') {
      await transaction.run(sql`
        update announcements set state = 'running', resumed_at = ${now}, paused_why = null,
          per_hour = case when paused_why is null then per_hour end
        where id = ${id}`)
    }
    if (change === 'cancel') {
      const mails = sql`select 1 from deliveries where announcement = ${id}`
      await transaction.run(
        sql`delete from announcements where id = ${id} and not exists (${mails})`,
      )
      await transaction.run(sql`
        update announcements set state = 'cancelled', ended_at = ${now}, paused_why = null where id = ${id}`)
      await transaction.run(sql`
        update deliveries set state = 'cancelled', finished_at = ${now}
        where announcement = ${id} and state in ('queued', 'held')`)
    }
  })
}

/**
 * Stops sending, and holds the mails that are queued. The worker holds those it has claimed. `why`:
 * it pauses automatically. The caller has locked the announcement.
 */
export async function pause(transaction: Transaction, id: number, why: string | null) {
  await transaction.run(
    sql`update announcements set state = 'paused', paused_why = ${why} where id = ${id}`,
  )
  await transaction.run(sql`
    update deliveries set state = 'held', worker = null where announcement = ${id} and state = 'queued'`)
}

/** Reads it behind a lock, so that two changes, or a change and a release, follow each other. */
export async function lockAnnouncement(transaction: Transaction, name: string) {
  await transaction.lock(`announcement ${name}`)
  return (await readAnnouncements(transaction, sql`where name = ${name}`))[0]
}
