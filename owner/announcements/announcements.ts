import sql from 'sql-template-tag'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'

/** Times are ms since 1970. The columns are explained in app/server/database/migrations/0001-first.sql. */
export interface AnnouncementRow {
  id: number
  name: string
  kind: AnnouncementKind
  audience: Audience
  state: 'running' | 'paused' | 'cancelled' | 'done'
  template: string
  signed_up_before: number
  starts_at: number
  resumed_at: number
  per_hour: number | null
  most_per_hour: number | null
  released_up_to: number
  paused_why: string | null
  ended_at: number | null
}

export type AnnouncementKind = 'version' | 'letter'
export type Audience = 'consented' | 'everyone'

/** A version or a letter that can be announced. */
export interface Announceable {
  /** The version, or the letter's file name without .md. */
  name: string
  kind: AnnouncementKind
  /** ms since 1970. People who signed up later have the version. Undefined: the start of the announcement. */
  signedUpBefore?: number | undefined
}

export interface AnnouncementOrder extends Announceable {
  to: Audience
  /** The mail for the audience. */
  template: StarterEmailTemplate
  /** Replaces the slow start. */
  perHour?: number | undefined
  /** Caps the slow start. */
  mostPerHour?: number | undefined
  /** Starts now. By default it starts in a minute. */
  isStartedNow?: boolean
}

/** Until then an announcement can be taken back. */
export const beforeStartMs = 60_000

/** `taken`: the name belongs to an announcement of the other kind. */
export type StartOutcome = 'started' | 'continued' | 'cancelled' | 'taken'

/**
 * Stores an announcement with the moment when it starts; release.ts sends it. A second one of the same name continues the first,
 * or widens it from those who asked for it to everyone. One that was taken back before it sent anything starts again.
 */
export function startAnnouncement(
  database: Database,
  order: AnnouncementOrder,
  now: number,
): Promise<StartOutcome> {
  return database.transaction(async (transaction) => {
    const { name, kind, to } = order
    await lockAnnouncement(transaction, name)
    const before = await transaction.row<AnnouncementRow>(
      sql`select * from announcements where name = ${name}`,
    )
    if (before && before.kind !== kind) return 'taken'
    if (before?.state === 'cancelled' && (await hasDeliveries(transaction, before.id))) return 'cancelled'
    if (before && before.state !== 'cancelled' && (before.audience === to || to === 'consented'))
      return 'continued'

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
    return 'started'
  })
}

/** Stops sending, and holds the mails that are queued. The worker holds those it has claimed. False: it is not running. */
export function pauseAnnouncement(database: Database, name: string): Promise<boolean> {
  return change(database, name, ['running'], (transaction, row) => pause(transaction, row, null))
}

/** `why`: it pauses automatically. The caller has locked the announcement. */
export async function pause(
  transaction: Transaction,
  { id }: Pick<AnnouncementRow, 'id'>,
  why: string | null,
) {
  await transaction.run(sql`update announcements set state = 'paused', paused_why = ${why} where id = ${id}`)
  await transaction.run(sql`
    update deliveries set state = 'held', worker = null where announcement = ${id} and state = 'queued'`)
}

/**
 * Begins the slow start again; release.ts sends what was held first. After an automatic pause --per-hour no longer holds. False:
 * it is not paused.
 */
export function resumeAnnouncement(database: Database, name: string, now: number): Promise<boolean> {
  return change(database, name, ['paused'], async (transaction, row) => {
    const perHour = row.paused_why === null ? row.per_hour : null
    await transaction.run(sql`
      update announcements set state = 'running', resumed_at = ${now}, paused_why = null, per_hour = ${perHour}
      where id = ${row.id}`)
  })
}

/** Sends nothing more, for good. False: it has ended. */
export function cancelAnnouncement(database: Database, name: string, now: number): Promise<boolean> {
  return change(database, name, ['running', 'paused'], async (transaction, { id }) => {
    await transaction.run(sql`
      update announcements set state = 'cancelled', ended_at = ${now}, paused_why = null where id = ${id}`)
    await transaction.run(sql`
      update deliveries set state = 'cancelled', finished_at = ${now}
      where announcement = ${id} and state in ('queued', 'held')`)
  })
}

function change(
  database: Database,
  name: string,
  from: readonly AnnouncementRow['state'][],
  work: (transaction: Transaction, row: AnnouncementRow) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await lockAnnouncement(transaction, name)
    const row = await transaction.row<AnnouncementRow>(sql`select * from announcements where name = ${name}`)
    if (!row || !from.includes(row.state)) return false
    await work(transaction, row)
    return true
  })
}

/** Taken before the row is read, so that two changes, or a change and a release, follow each other. */
export function lockAnnouncement(transaction: Transaction, name: string): Promise<void> {
  return transaction.lock(`announcement ${name}`)
}

async function hasDeliveries(reader: Reader, id: number): Promise<boolean> {
  return (await reader.row(sql`select 1 from deliveries where announcement = ${id} limit 1`)) !== undefined
}
