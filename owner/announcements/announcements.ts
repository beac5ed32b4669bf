import { type Selectable, sql } from 'kysely'
import type { KitRelease } from '#content/releases.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Connection, Database, Tables } from '#server/database/database.ts'
import { parkedUntil } from '#server/deliveries/lanes.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { wantsAnnouncement } from '#server/subscribers/subscribers.ts'

type AnnouncementRow = Selectable<Tables['announcements']>
export type Audience = AnnouncementRow['audience']

export interface AnnouncementOrder {
  release: KitRelease
  to: Audience
  /** Only people who signed up then or later, in ms since 1970. */
  signedUpFrom?: number | undefined
  /** By default the announcement starts slowly. */
  perHour?: number | undefined
  /** The mail for the audience. */
  template: StarterEmailTemplate
}

/** The state and the figures of an announcement. Times are ms since 1970. */
export interface AnnouncementProgress {
  version: string
  to: Audience
  state: 'running' | 'paused' | 'paused-automatically' | 'cancelled' | 'done'
  startedAt: number
  /** The sum of the next four. */
  audience: number
  sent: number
  waiting: number
  failed: number
  leftSince: number
  /** Null: a slow start. */
  perHour: number | null
  /** Mails in this hour, at most. */
  allowance: number
  pausedWhy: string | null
}

/** Mails in the first hour of a slow start. */
export const firstAllowance = 100
const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** People who signed up later came with the version. */
export function endOfDay({ date }: KitRelease): number {
  return Date.parse(date) + dayMs
}

/**
 * Notes an announcement; queueRecipients makes its deliveries. A second one of the version continues the first, or widens it
 * from those who asked for it to everyone.
 */
export async function startAnnouncement(
  { query }: Database,
  order: AnnouncementOrder,
  now: number,
): Promise<{ kind: 'started' | 'widened' | 'continued' | 'cancelled'; id: number }> {
  const { release, to, signedUpFrom: signed_up_from = 0, perHour } = order
  const rate = { per_hour: perHour ?? null, allowance: perHour ?? firstAllowance }
  return query.transaction().execute(async (transaction) => {
    const template = await keepTemplate(transaction, order.template)
    const audience = { audience: to, template, signed_up_from, signed_up_before: endOfDay(release) }
    const times = { started_at: now, judged_from: now, paused_at: null, paused_why: null }
    const fresh = await transaction
      .insertInto('announcements')
      .values({ version: release.version, state: 'running', ...audience, ...rate, ...times })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (fresh) return { kind: 'started', id: fresh.id }
    const before = (await lockAnnouncement(transaction, release.version))!
    const { id } = before
    if (before.state === 'cancelled') return { kind: 'cancelled', id }
    const row = transaction.updateTable('announcements').where('id', '=', id)
    if (perHour !== undefined) await row.set(rate).execute()
    if (before.audience === to || to === 'consented') return { kind: 'continued', id }
    const state = before.state === 'done' ? 'running' : before.state
    await row.set({ ...audience, state, queued_up_to: 0, is_queued: 0 }).execute()
    return { kind: 'widened', id }
  })
}

/** Nothing more is sent; what a worker has claimed already still goes. False: it is not running. */
export async function pauseAnnouncement({ query }: Database, version: string, now: number): Promise<boolean> {
  return query.transaction().execute(async (transaction) => {
    const row = await lockAnnouncement(transaction, version)
    if (row?.state !== 'running') return false
    await pause(transaction, row, null, now)
    return true
  })
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

/** After an automatic pause it starts slowly again, and what came back before does not count. False: it is not paused. */
export async function resumeAnnouncement(
  { query }: Database,
  version: string,
  now: number,
): Promise<boolean> {
  return query.transaction().execute(async (transaction) => {
    const row = await lockAnnouncement(transaction, version)
    if (row?.state !== 'paused') return false
    const allowance = row.per_hour ?? (row.paused_why === null ? row.allowance : firstAllowance)
    const hour = now < row.hour_ends_at ? {} : { released: 0, hour_ends_at: now + hourMs }
    await transaction
      .updateTable('announcements')
      .set({
        state: 'running',
        allowance,
        judged_from: now,
        complaints: 0,
        paused_why: null,
        paused_at: null,
      })
      .set(hour)
      .where('id', '=', row.id)
      .execute()
    return true
  })
}

/** For good: the mails that wait are dropped, and the people they were for no longer count. False: it is over. */
export async function cancelAnnouncement({ query }: Database, version: string): Promise<boolean> {
  return query.transaction().execute(async (transaction) => {
    const row = await lockAnnouncement(transaction, version)
    if (!row || row.state === 'cancelled' || row.state === 'done') return false
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
    return true
  })
}

/** Until the end of the transaction nobody else changes it. */
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

/** The newest first. One statement, so that the figures are of one moment. */
export async function readAnnouncements(
  connection: Connection,
  version?: string,
): Promise<AnnouncementProgress[]> {
  const only = version === undefined ? sql`` : sql`where a.version = ${version}`
  const { rows } = await sql<AnnouncementRow & Record<'sent' | 'waiting' | 'failed' | 'unqueued', number>>`
    select a.*, ${count(sql`d.state = 'sent'`)} as sent, ${count(sql`d.state = 'failed'`)} as failed,
      ${count(sql`d.state in ('queued', 'sending')`)} as waiting,
      case when a.is_queued = 1 then 0 else (select count(*) from subscribers s where s.id > a.queued_up_to
        and ${isRecipient} and ${hasNoDelivery}) end as unqueued
    from announcements a left join deliveries d on d.announcement = a.id ${only}
    group by a.id order by a.started_at desc, a.id desc`.execute(connection)
  return rows.map(asAnnouncement)
}

export async function readAnnouncement(connection: Connection, version: string) {
  return (await readAnnouncements(connection, version))[0]
}

/** True for a subscriber `s` whom the announcement `a` is for. */
export const isRecipient = sql<boolean>`(s.state = 'active' and s.signed_up_at >= a.signed_up_from
  and s.signed_up_at < a.signed_up_before and ${wantsAnnouncement})`

const hasNoDelivery = sql<boolean>`not exists (
  select 1 from deliveries made where made.announcement = a.id and made.subscriber = s.id)`

function count(which: ReturnType<typeof sql>) {
  return sql`count(*) filter (where ${which})`
}

function asAnnouncement(
  row: AnnouncementRow & Record<'sent' | 'waiting' | 'failed' | 'unqueued', number>,
): AnnouncementProgress {
  const { sent, failed, recipients, unqueued } = row
  const waiting = row.waiting + unqueued
  const isOver = row.state === 'running' && waiting === 0
  const wasPausedBy = row.paused_why === null ? 'paused' : 'paused-automatically'
  return {
    version: row.version,
    to: row.audience,
    state: isOver ? 'done' : row.state === 'paused' ? wasPausedBy : row.state,
    startedAt: row.started_at,
    audience: recipients + unqueued,
    sent,
    waiting,
    failed,
    leftSince: recipients - sent - row.waiting - failed,
    perHour: row.per_hour,
    allowance: row.allowance,
    pausedWhy: row.paused_why,
  }
}
