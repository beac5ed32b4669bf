import { type Selectable, sql } from 'kysely'
import type { KitRelease } from '#content/releases.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import { type Connection, type Database, inTransaction, type Tables } from '#server/database/database.ts'
import { parkedUntil } from '#server/deliveries/lanes.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { wantsAnnouncement } from '#server/subscribers/subscribers.ts'
import { firstAllowance } from './slow-start.ts'

export type AnnouncementRow = Selectable<Tables['announcements']>
export type Audience = AnnouncementRow['audience']

export interface AnnouncementOrder {
  release: KitRelease
  to: Audience
  /** Leaves out people who signed up earlier, in ms since 1970. */
  signedUpFrom?: number | undefined
  /** By default the announcement starts slowly. */
  perHour?: number | undefined
  /** The mail for the audience. */
  template: StarterEmailTemplate
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** Returns the end of a release's day. People who signed up later got the version with their kit. */
export function endOfDay({ date }: KitRelease): number {
  return Date.parse(date) + dayMs
}

/**
 * Records an announcement; queueRecipients makes its deliveries. A second one of the same version continues the first, or widens
 * it from those who asked for it to everyone.
 */
export async function startAnnouncement({ query }: Database, order: AnnouncementOrder, now: number) {
  const { release, to, signedUpFrom: signed_up_from = 0, perHour } = order
  const rate = { per_hour: perHour ?? null, allowance: perHour ?? firstAllowance }
  return inTransaction(query, async (transaction) => {
    const template = await keepTemplate(transaction, order.template)
    const audience = { audience: to, template, signed_up_from, signed_up_before: endOfDay(release) }
    const times = { started_at: now, judged_from: now, paused_at: null, paused_why: null }
    const fresh = await transaction
      .insertInto('announcements')
      .values({ version: release.version, state: 'running', ...audience, ...rate, ...times })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (fresh) return { kind: 'started' as const, id: fresh.id }
    const before = (await lockAnnouncement(transaction, release.version))!
    const { id } = before
    if (before.state === 'cancelled') return { kind: 'cancelled' as const, id }
    const row = transaction.updateTable('announcements').where('id', '=', id)
    if (perHour !== undefined) await row.set(rate).execute()
    if (before.audience === to || to === 'consented') return { kind: 'continued' as const, id }
    const state = before.state === 'done' ? 'running' : before.state
    await row.set({ ...audience, state, queued_up_to: 0, is_queued: 0 }).execute()
    return { kind: 'widened' as const, id }
  })
}

/** Stops sending, except what a worker has claimed. Returns false if the announcement is not running. */
export function pauseAnnouncement(database: Database, version: string, now: number): Promise<boolean> {
  return change(database, version, ['running'], (transaction, row) => pause(transaction, row, null, now))
}

/** Part of the caller's transaction, which has locked the announcement. `why`: it pauses automatically. */
export async function pause(
  connection: Connection,
  { id, released }: AnnouncementRow,
  why: string | null,
  now: number,
) {
  const parked = await connection
    .updateTable('deliveries')
    .set({ due_at: parkedUntil })
    .where('announcement', '=', id)
    .where('state', '=', 'queued')
    .where('due_at', '<', parkedUntil)
    .executeTakeFirst()
  await connection
    .updateTable('announcements')
    .set({
      state: 'paused',
      paused_why: why,
      paused_at: now,
      // Some of the parked mail was released in an earlier hour.
      released: Math.max(0, released - Number(parked.numUpdatedRows)),
    })
    .where('id', '=', id)
    .execute()
}

/** Resumes; after an automatic pause with a slow start and new figures. Returns false if the announcement is not paused. */
export function resumeAnnouncement(database: Database, version: string, now: number): Promise<boolean> {
  return change(database, version, ['paused'], async (transaction, row) => {
    const allowance = row.per_hour ?? (row.paused_why === null ? row.allowance : firstAllowance)
    const hour = now < row.hour_ends_at ? {} : { released: 0, hour_ends_at: now + hourMs }
    const reset = { judged_from: now, complaints: 0, paused_why: null, paused_at: null }
    await transaction
      .updateTable('announcements')
      .set({ state: 'running', allowance, ...reset, ...hour })
      .where('id', '=', row.id)
      .execute()
  })
}

/** Deletes queued mails for good, and no longer counts their recipients. Returns false if the announcement has ended. */
export function cancelAnnouncement(database: Database, version: string): Promise<boolean> {
  return change(database, version, ['running', 'paused'], async (transaction, row) => {
    const dropped = await transaction
      .deleteFrom('deliveries')
      .where('announcement', '=', row.id)
      .where('state', '=', 'queued')
      .executeTakeFirst()
    await transaction
      .updateTable('announcements')
      .set({ state: 'cancelled', is_queued: 1, recipients: row.recipients - Number(dropped.numDeletedRows) })
      .where('id', '=', row.id)
      .execute()
  })
}

function change(
  { query }: Database,
  version: string,
  from: readonly AnnouncementRow['state'][],
  work: (transaction: Connection, row: AnnouncementRow) => Promise<void>,
): Promise<boolean> {
  return inTransaction(query, async (transaction) => {
    const row = await lockAnnouncement(transaction, version)
    if (!row || !from.includes(row.state)) return false
    await work(transaction, row)
    return true
  })
}

/** Locks the row until the end of the transaction. */
export async function lockAnnouncement(
  connection: Connection,
  of: string | number,
): Promise<AnnouncementRow | undefined> {
  return connection
    .updateTable('announcements')
    .set((eb) => ({ state: eb.ref('state') }))
    .where(typeof of === 'string' ? 'version' : 'id', '=', of)
    .returningAll()
    .executeTakeFirst()
}

export type AnnouncementProgress = Awaited<ReturnType<typeof readAnnouncements>>[number]

/**
 * Returns announcements, the newest first. `of`: one version, or those under way. One statement reads all figures, so that they
 * agree. Times are ms since 1970.
 */
export async function readAnnouncements(connection: Connection, of?: { version: string } | 'under way') {
  const isWanted = of === 'under way' ? sql`state in ('running', 'paused')` : sql`version = ${of?.version}`
  // Counted before they are joined: PostgreSQL takes twice as long to group the joined rows.
  const { rows } = await sql<AnnouncementRow & Record<'sent' | 'queued' | 'failed' | 'unqueued', number>>`
    select a.*, coalesce(sent, 0) as sent, coalesce(failed, 0) as failed, coalesce(queued, 0) as queued,
      case when a.is_queued = 1 then 0 else (select count(*) from subscribers s where s.id > a.queued_up_to
        and ${isRecipient} and ${hasNoDelivery}) end as unqueued
    from (select * from announcements ${of ? sql`where ${isWanted}` : sql``}) as a left join (
      select announcement, count(*) filter (where state = 'sent') as sent,
        count(*) filter (where state = 'failed') as failed,
        count(*) filter (where state in ('queued', 'sending')) as queued
      from deliveries where announcement is not null group by announcement
    ) as d on d.announcement = a.id order by a.started_at desc, a.id desc`.execute(connection)
  return rows.map((row) => {
    const { sent, failed, queued, recipients, unqueued } = row
    const waiting = queued + unqueued
    return {
      version: row.version,
      to: row.audience,
      state: stateOf(row, waiting),
      startedAt: row.started_at,
      /** The sum of the next four. */
      audience: recipients + unqueued,
      sent,
      waiting,
      failed,
      leftSince: recipients - sent - queued - failed,
      /** Null: a slow start. */
      perHour: row.per_hour,
      /** Mails in this hour, at most. */
      allowance: row.allowance,
      pausedWhy: row.paused_why,
    }
  })
}

function stateOf({ state, paused_why }: AnnouncementRow, waiting: number) {
  if (state === 'paused' && paused_why !== null) return 'paused-automatically' as const
  return state === 'running' && waiting === 0 ? 'done' : state
}

export async function readAnnouncement(connection: Connection, version: string) {
  return (await readAnnouncements(connection, { version }))[0]
}

/** True for a subscriber `s` whom the announcement `a` is for. */
export const isRecipient = sql<boolean>`(s.state = 'active' and s.signed_up_at >= a.signed_up_from
  and s.signed_up_at < a.signed_up_before and ${wantsAnnouncement})`

const hasNoDelivery = sql<boolean>`not exists (
  select 1 from deliveries made where made.announcement = a.id and made.subscriber = s.id)`
