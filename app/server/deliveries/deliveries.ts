import { sql } from 'kysely'
import {
  type Connection,
  inTransaction,
  isPostgres,
  jsonList,
  jsonRows,
  randomText,
  lockNames,
} from '../database/database.ts'
import { type Lease, type Outcome, WorkTable } from './claims.ts'
import { addToWindows, readWindow, returnToWindow } from '../sign-up/limit-windows.ts'
import type { ServerContext } from '../start/extension.ts'
import { findRecipients, markLeft, wantsAnnouncement } from '../subscribers/subscribers.ts'
import { announcementLane, hourMs, type Lane, lanes, opensAt, roomIn, type SiteHour } from './lanes.ts'

export interface NewMail {
  /** Hash of the template that the mail is written from. */
  template: string
  /** The right side of the Message-IDs. */
  senderDomain: string
  lane?: Lane
  /** ms since 1970. */
  now: number
  /** ms since 1970; at once, if left out. */
  dueAt?: number | undefined
}

interface ClaimedDelivery {
  id: number
  subscriber: number
  message_id: string
  template: string
  queued_at: number
  failures: number
  lane: Lane
}

export interface ClaimedMail extends ClaimedDelivery {
  address: string
  token: string
}

export type MailOutcome = Outcome<ClaimedMail>

export interface ClaimDeps extends Pick<ServerContext, 'database' | 'now'> {
  /** Names this process in the leases. */
  worker: string
  /** Infinity: no ceiling. */
  siteMailsPerHour: number
}

export const deliveryTable = new WorkTable('deliveries', { claimed: 'sending', done: 'sent' })
const siteWindow = 'site'

/** Queues a mail to each of `subscribers`. Part of the caller's transaction. */
export async function enqueue(
  connection: Connection,
  subscribers: readonly number[],
  { template, senderDomain, lane = 0, now, dueAt = now }: NewMail,
) {
  await sql`
    insert into deliveries (subscriber, message_id, template, state, due_at, queued_at, lane)
    select value, '<' || ${randomText(connection)} || ${`@${senderDomain}>`}, ${template}, 'queued', ${dueAt}, ${now}, ${lane}
    from ${jsonList(connection, 'bigint', subscribers)} as subscriber`.execute(connection)
}

/**
 * Claims read from here, because all earlier deliveries are finished. PostgreSQL keeps the index entries of finished deliveries
 * for as long as a snapshot is open, such as pg_dump's, and a claim that reads from the beginning would pass them all each time.
 */
interface ClaimFloor {
  /** Every delivery that was due before is finished, except one that was committed late. */
  dueAt: number
  /** When a claim next looks for those. */
  sweepAt: number
}

export function newClaimFloor(): ClaimFloor {
  return { dueAt: 0, sweepAt: 0 }
}

const sweepEveryMs = 5_000
/** The floor stays this far behind, because recent sign-ups may not be committed yet. */
const justNowMs = 1_000
/** Longer than any transaction plus the difference between the instances' clocks. */
const lateCommitMs = 60_000

/** Claims up to `most` mails, of the lanes above 0 up to `maxAboveLane0`. Nothing more can be claimed before `nextClaimAt`. */
export async function claimMail(
  deps: ClaimDeps,
  most: number,
  maxAboveLane0 = most,
  floor: ClaimFloor = newClaimFloor(),
) {
  const { database, now, worker, siteMailsPerHour: ceiling } = deps
  const at = now()
  if (floor.dueAt > at) Object.assign(floor, newClaimFloor()) // the clock was set back
  const result = await inTransaction(database.query, async (transaction) => {
    const isLimited = ceiling !== Infinity
    if (isLimited) await lockNames(transaction, 'site ceiling')
    const window = isLimited ? await readWindow(transaction, siteWindow, hourMs, at) : undefined
    const hour = { ceiling, used: window?.used ?? 0, endsAt: window?.endsAt ?? at + hourMs }
    if (roomIn(0, hour, at) <= 0) return { mails: [], nextClaimAt: hour.endsAt, isCeilingReached: true }

    const from = at < floor.sweepAt ? floor.dueAt : floor.dueAt - lateCommitMs
    const limit = (lane: Lane) => Math.min(lane === 0 ? most : maxAboveLane0, roomIn(lane, hour, at))
    const claimed = await claimDue(transaction, limit, { worker, now: at }, from)
    const hasMore = claimed.length >= limit(0)
    const mails = await withRecipients(transaction, claimed)
    if (isLimited) await addToWindows(transaction, [{ name: siteWindow, amount: mails.length }], hourMs, at)
    hour.used += mails.length
    const wanted = new Set(mails.map(({ id }) => id))
    const unwanted = claimed.filter(({ id }) => !wanted.has(id))
    const cancelled = unwanted.map((claim) => ({ claim, kind: 'cancelled' as const }))
    await deliveryTable.record(transaction, cancelled, { worker, now: at })
    if (hasMore && at < floor.sweepAt) return { mails, nextClaimAt: at }
    const waiting = await readNextDue(transaction, from)
    return { mails, nextClaimAt: hasMore ? at : soonest(waiting, hour, at), waiting }
  })
  // After the commit: a claim that is rolled back leaves its deliveries due.
  if (result.waiting) raiseFloor(floor, result.waiting, at)
  return result
}

function raiseFloor(floor: ClaimFloor, waiting: readonly NextDue[], at: number): void {
  floor.dueAt = Math.min(at - justNowMs, ...waiting.map(({ due_at }) => due_at ?? Infinity))
  if (at >= floor.sweepAt) floor.sweepAt = at + sweepEveryMs
}

/** Adds address and token, and leaves out deliveries whose subscriber was erased or has left the list since. */
async function withRecipients(connection: Connection, claimed: readonly ClaimedDelivery[]) {
  const ids = claimed.map(({ subscriber }) => subscriber)
  const found = await findRecipients(connection, ids)
  const recipients = new Map(found.map((one) => [one.id, one]))
  return claimed.flatMap((one): ClaimedMail[] => {
    const { address, token } = recipients.get(one.subscriber) ?? {}
    return address && token ? [{ ...one, address, token }] : []
  })
}

/**
 * Checked right before each send: since the claim the subscriber may have left or turned off announcements, or another worker
 * have taken the delivery over.
 */
export async function isStillWanted({ database, worker }: ClaimDeps, { id }: ClaimedMail): Promise<boolean> {
  const { rows } = await sql`
    select 1 from deliveries d join subscribers s on s.id = d.subscriber
    where d.id = ${id} and d.worker = ${worker} and d.state = 'sending' and s.state = 'active' and (d.announcement is null
      or exists (select 1 from announcements a where a.id = d.announcement and a.state <> 'cancelled' and ${wantsAnnouncement}))`.execute(
    database.query,
  )
  return rows.length > 0
}

/** Stores outcomes in one transaction. */
export async function record(deps: ClaimDeps, outcomes: readonly MailOutcome[]): Promise<void> {
  const { database, worker, now } = deps
  const unsent = outcomes.filter(({ kind }) => kind !== 'sent').length
  await inTransaction(database.query, async (transaction) => {
    await deliveryTable.record(transaction, outcomes, { worker, now: now() })
    const failed = outcomes.filter(({ kind }) => kind === 'failed').map(({ claim }) => claim.id)
    // Not those that another worker has taken over, or whose subscriber was erased: SQLite gives the number to the next one.
    const held = sql<{ subscriber: number }>`select subscriber from deliveries
      where id in ${jsonList(transaction, 'bigint', failed)} and worker = ${worker} and state = 'failed' order by id`
    for (const { subscriber } of failed.length > 0 ? (await held.execute(transaction)).rows : [])
      await markLeft(transaction, subscriber, 'undeliverable')
    await returnToCeiling(transaction, deps, unsent)
  })
}

/** Returns attempts that sent nothing to the hour's ceiling: it counts mails, so an hour without a relay does not use it up. */
async function returnToCeiling(connection: Connection, { siteMailsPerHour, now }: ClaimDeps, amount: number) {
  if (siteMailsPerHour === Infinity || amount === 0) return
  await returnToWindow(connection, { name: siteWindow, amount }, now())
}

/**
 * Leases due deliveries, lower lanes first, and in a lane the oldest first. A lane gets none beyond the first `limit(lane)`;
 * higher lanes have no higher limit. A delivery whose worker died is due again when its lease ends.
 */
export async function claimDue(
  connection: Connection,
  limit: (lane: Lane) => number,
  lease: Lease,
  from = 0,
): Promise<ClaimedDelivery[]> {
  const limits = lanes.map((lane) => ({ lane, most: Math.max(0, limit(lane)) }))
  const open = jsonRows(connection, limits, { lane: 'bigint', most: 'bigint' })
  // Both read index ranges, and no row that is due later. SQLite has no lateral join.
  const due = isPostgres(connection)
    ? sql`${open} as open cross join lateral (
        select id, due_at from deliveries
        where state in ('queued', 'sending') and due_at between ${from} and ${lease.now} and lane = open.lane
        order by due_at, id limit open.most for update skip locked) as first`
    : sql`(
        select id, lane, due_at from deliveries
        where state in ('queued', 'sending') and due_at between ${from} and ${lease.now} and lane in (${sql.raw(lanes.join())})
        order by lane, due_at, id limit ${limit(0)}) as first join ${open} as open using (lane)`
  const placed = sql`
    select id from (select id, most, row_number() over (order by lane, due_at, id) as place from ${due}) as placed
    where place <= most`
  const columns = 'id, subscriber, message_id, template, queued_at, failures, lane'
  const claimed = await deliveryTable.claim<ClaimedDelivery>(connection, placed, columns, lease)
  return claimed.toSorted((a, b) => a.lane - b.lane || a.queued_at - b.queued_at || a.id - b.id)
}

/** The newest mail of a sign-up of the subscriber's that was queued when the receipt was issued. */
interface AskedMail {
  subscriber: number
  /** ms since 1970. */
  issuedAt: number
}

/** Returns when each mail was handed over; undefined if it was not. */
export async function readHandOvers(
  connection: Connection,
  asked: readonly AskedMail[],
): Promise<(number | undefined)[]> {
  const places = asked.map(({ subscriber, issuedAt }, place) => ({ place, subscriber, queued_by: issuedAt }))
  const rows = jsonRows(connection, places, { place: 'bigint', subscriber: 'bigint', queued_by: 'bigint' })
  const sent = await sql<{ place: number; finished_at: number }>`
    select place, finished_at from ${rows} as asked join deliveries on deliveries.id = (
      select max(id) from deliveries as mail
      where mail.subscriber = asked.subscriber and mail.queued_at <= asked.queued_by
        and mail.lane < ${announcementLane}
    ) where state = 'sent'`.execute(connection)
  const byPlace = new Map(sent.rows.map(({ place, finished_at }) => [place, finished_at]))
  return asked.map((_, place) => byPlace.get(place))
}

/** Cancels the mail if it is queued for one sign-up only. Returns its state, and `queuedAt` if this call cancelled it. */
export async function cancelQueued(
  connection: Connection,
  { subscriber, issuedAt }: AskedMail,
  now: number,
): Promise<{ state: string | undefined; queuedAt: number | undefined }> {
  const newest = sql`(select max(id) from deliveries
    where subscriber = ${subscriber} and queued_at <= ${issuedAt} and lane < ${announcementLane})`
  const { rows: cancelled } = await sql<{ queued_at: number }>`
    update deliveries set state = 'cancelled', finished_at = ${now} where id in (
      select d.id from deliveries d join subscribers s on s.id = d.subscriber
      where d.id = ${newest} and d.state = 'queued' and d.queued_at = s.last_mailed_at ${skipTaken(connection)}
    ) returning queued_at`.execute(connection)
  const { rows } = await sql<{ state: string }>`select state from deliveries where id = ${newest}`.execute(
    connection,
  )
  return { state: rows[0]?.state, queuedAt: cancelled[0]?.queued_at }
}

/** Cancels the queued deliveries of a subscriber: all, or those of announcements. Returns how many there were. */
export async function cancelWaiting(
  connection: Connection,
  subscriber: number,
  now: number,
  which: 'all' | 'announcements' = 'all',
): Promise<number> {
  const cancelled = await connection
    .updateTable('deliveries')
    .set({ state: 'cancelled', finished_at: now })
    .where('subscriber', '=', subscriber)
    .where('state', '=', 'queued')
    .$if(which === 'announcements', (query) => query.where('announcement', 'is not', null))
    .executeTakeFirst()
  return Number(cancelled.numUpdatedRows)
}

/**
 * Moves the queued mail of sign-ups to a lower lane: somebody on a quiet network does not wait because a busy one signed the same
 * address up before.
 */
export async function promote(connection: Connection, signUps: readonly { identity: string; lane: Lane }[]) {
  const rows = jsonRows(connection, signUps, { identity: 'text', lane: 'bigint' })
  await sql`
    update deliveries set lane = moved.lane from (
      select d.id, fresh.lane from ${rows} as fresh
      join subscribers s on s.identity = fresh.identity join deliveries d on d.subscriber = s.id
      where d.state = 'queued' and d.lane > fresh.lane and d.lane < ${announcementLane} ${skipTaken(connection, 'd')}
    ) as moved where deliveries.id = moved.id`.execute(connection)
}

/** Leaves out a row that another transaction has locked: the mail is being claimed, or somebody else asks for it. */
function skipTaken(connection: Connection, tables = 'd, s') {
  return sql.raw(isPostgres(connection) ? `for update of ${tables} skip locked` : '')
}

interface NextDue {
  lane: Lane
  /** ms since 1970. Null: nothing is waiting in the lane. */
  due_at: number | null
}

/** Returns when the next delivery of each lane is due, or its next lease ends. */
async function readNextDue(connection: Connection, from: number): Promise<NextDue[]> {
  const each = jsonRows(
    connection,
    lanes.map((lane) => ({ lane })),
    { lane: 'bigint' },
  )
  const next = await sql<NextDue>`
    select lane, (
      select min(due_at) from deliveries
      where state in ('queued', 'sending') and deliveries.lane = each.lane and due_at >= ${from}
    ) as due_at from ${each} as each`.execute(connection)
  return next.rows
}

/** Returns when the next delivery of a lane with room is due. Infinity: nothing is waiting. */
function soonest(waiting: readonly NextDue[], hour: SiteHour, now: number): number {
  return Math.min(
    ...waiting.map(({ lane, due_at }) => Math.max(due_at ?? Infinity, opensAt(lane, hour, now))),
  )
}
