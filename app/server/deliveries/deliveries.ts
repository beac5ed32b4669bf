import { hash } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import { clockToleranceMs, dayMs, isWaiting } from '../database/clock.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { giveToken, newToken } from '../subscribers/subscribers.ts'
import { countHandOver, handOversOfHour } from './hand-overs.ts'
import { isInTime, roomInDay } from './one-mail-a-day.ts'

/** Lower goes first: 0 the starter mail of a quiet network, 1 of a busy one, 9 announcements. */
export type Priority = 0 | 1 | 9
export const announcementPriority = 9

export interface NewMail {
  subscriber: number
  /** Hash of the template that the mail is written from. */
  template: string
  /** The right side of the Message-ID. */
  senderDomain: string
  priority: Priority
  /** ms since 1970. */
  now: number
  announcement?: number
}

/** Queues a mail, due now. Returns its receipt, with which the visitor's page asks about it. */
export async function queueMail(transaction: Transaction, mail: NewMail): Promise<string> {
  const { subscriber, template, senderDomain, priority, now, announcement = null } = mail
  const receipt = newReceipt(now)
  await transaction.run(sql`
    insert into deliveries (subscriber, announcement, message_id, template, state, priority, due_at,
      waits_since, queued_at)
    values (${subscriber}, ${announcement}, ${messageIdOf(receipt, senderDomain)}, ${template},
      'queued', ${priority}, ${now}, ${now}, ${now})`)
  return receipt
}

/** A dead worker's mail is due again after this time. An attempt that takes longer renews it. */
export const leaseMs = 45_000
/** Quiet networks have so much of the hour's ceiling for themselves, and all other mail too. */
const ownShare = 1 / 4

export interface ClaimedMail {
  id: number
  subscriber: number
  message_id: string
  queued_at: number
  failures: number
  priority: Priority
}

export interface Claim {
  /** Names this process in the leases. */
  worker: string
  now: number
  /** How many mails to claim, and how many of them with a priority above 0. */
  most: number
  mostAbove0: number
  /** Mails an hour. Infinity: no ceiling. */
  ceiling: number
}

export interface Claimed {
  mails: ClaimedMail[]
  /** The hour's ceiling leaves no room for more. */
  isFull: boolean
}

/** Leases the mails that are due, in order of priority. */
export async function claimMails(transaction: Transaction, claim: Claim): Promise<Claimed> {
  const { room, quarter, ownAbove0 } = await readHour(transaction, claim)
  // Above 0 nothing takes the last quarter, and priority 0 leaves room for what the others have not
  // used of theirs, while their mail waits.
  const isScarce = room - claim.most < ownAbove0 && (await isDueAbove0(transaction, claim.now))
  const most0 = Math.min(claim.most, isScarce ? room - ownAbove0 : room)
  const first = most0 > 0 ? await claimDue(transaction, sql`priority = 0`, most0, claim) : []
  const left = room - first.length
  const roomAbove0 = Math.max(left - quarter, Math.min(left, ownAbove0))
  const rest = Math.min(claim.most - first.length, claim.mostAbove0, roomAbove0)
  const further = rest > 0 ? await claimDue(transaction, sql`priority > 0`, rest, claim) : []
  const mails = [...first, ...further]
  for (const { subscriber } of mails) await giveToken(transaction, subscriber)
  return { mails, isFull: room <= 0 }
}

/** The mails that the hour's ceiling leaves. */
interface HourRoom {
  room: number
  quarter: number
  /** Mail above priority 0 has not used so much of its own quarter yet. */
  ownAbove0: number
}

/** Counts the mails that were handed over in the last hour, and those being sent now. */
async function readHour(
  transaction: Transaction,
  { ceiling, now }: Pick<Claim, 'ceiling' | 'now'>,
): Promise<HourRoom> {
  if (ceiling === Infinity) return { room: Infinity, quarter: 0, ownAbove0: 0 }
  await transaction.lock('mails of the hour')
  const isSending = sql`state = 'sending' and ${isWaiting(sql`due_at`, now, leaseMs)}`
  // In one statement, so that a mail whose outcome is recorded meanwhile counts once.
  const row = await transaction.row<{ used: number; above0: number }>(sql`
    select ${handOversOfHour('mails', now)}
        + (select count(*) from deliveries where ${isSending}) as used,
      ${handOversOfHour('mails-above-0', now)}
        + (select count(*) from deliveries where ${isSending} and priority > 0) as above0`)
  const { used, above0 } = row!
  const quarter = Math.floor(ceiling * ownShare)
  return { room: ceiling - used, quarter, ownAbove0: Math.max(0, quarter - above0) }
}

function claimDue(transaction: Transaction, chosen: Sql, most: number, { worker, now }: Claim) {
  return transaction.rows<ClaimedMail>(sql`
    with due as materialized (
      select id from deliveries
      where state in ('queued', 'sending') and ${chosen} and due_at <= ${now}
      order by priority, due_at, id limit ${most} ${transaction.skipLocked}
    )
    update deliveries
    set state = 'sending', worker = ${worker}, due_at = ${now + leaseMs}, waits_since = ${now}
    where id in (select id from due)
    returning id, subscriber, message_id, queued_at, failures, priority`)
}

/** True if a mail could be claimed. It reads one entry of the index for each priority. */
export async function isMailDue(reader: Reader, now: number): Promise<boolean> {
  const row = await reader.row(
    sql`select 1 where ${isDue(0, now)} or ${isDue(1, now)} or ${isDue(9, now)}`,
  )
  return row !== undefined
}

async function isDueAbove0(reader: Reader, now: number): Promise<boolean> {
  return (await reader.row(sql`select 1 where ${isDue(1, now)} or ${isDue(9, now)}`)) !== undefined
}

function isDue(priority: Priority, now: number): Sql {
  return sql`exists (select 1 from deliveries
    where state in ('queued', 'sending') and priority = ${priority} and due_at <= ${now})`
}

export async function renewLeases(
  transaction: Transaction,
  ids: readonly number[],
  { worker, now }: { worker: string; now: number },
): Promise<void> {
  await transaction.run(sql`
    update deliveries set due_at = ${now + leaseMs}, waits_since = ${now}
    where id in (${join(ids)}) and worker = ${worker} and state = 'sending'`)
}

/**
 * A wait that began in the future began while the clock was ahead. It begins again now: mail that
 * was not tried is due, and no mail waits longer than it did. Called every minute.
 */
export async function beginFutureWaitsNow(transaction: Transaction, now: number): Promise<void> {
  const future = now + clockToleranceMs
  await transaction.run(sql`
    update deliveries set due_at = ${now} + due_at - waits_since, waits_since = ${now}
    where state in ('queued', 'sending') and priority in (0, 1, 9)
      and due_at > ${future} and waits_since > ${future}`)
}

/**
 * `cancelled`: they left the list, or the announcement was cancelled. `held`: the announcement is
 * paused. `gone`: erased, or another worker has it.
 */
export type SendCheck =
  /** `template`: as keepTemplate wrote it. */
  | { kind: 'wanted'; address: string; token: string; template: string }
  | { kind: 'cancelled' | 'held' | 'gone' }
  /** Another mail of the site goes to them, or has just gone. */
  | { kind: 'put-off'; dueAt: number }

/**
 * True for a subscriber `s` on the list who gets the announcement `a`. Who turned announcements off
 * gets none.
 */
export const wantsAnnouncement: Sql = sql`((s.announcements_agreed_at is not null
    and (a.kind = 'version' or a.kind = 'letter' and s.announcements_cover <> 'versions'
      or a.kind = 'series' and s.series_from is not null))
  or (a.audience = 'everyone' and s.announcements_refused_at is null))`

/** Asked right before each attempt: since the claim they may have left, or have another address. */
export async function checkBeforeSending(
  reader: Reader,
  id: number,
  { worker, now }: { worker: string; now: number },
): Promise<SendCheck> {
  const row = await reader.row<{
    subscriber: number
    address: string
    token: string
    template: string
    state: string
    kind: string | null
    announcement: string | null
    is_wanted: 0 | 1
    series_due_at: number | null
  }>(sql`
    select s.id as subscriber, s.address, s.token, t.content as template, s.state, a.kind,
      a.state as announcement,
      case when a.id is null or ${wantsAnnouncement} then 1 else 0 end as is_wanted,
      s.series_from + a.after_days * ${dayMs} as series_due_at
    from deliveries d
      join subscribers s on s.id = d.subscriber
      join mail_templates t on t.hash = d.template
      left join announcements a on a.id = d.announcement
    where d.id = ${id} and d.worker = ${worker} and d.state = 'sending'`)
  if (!row) return { kind: 'gone' }
  if (row.state !== 'active' || row.announcement === 'cancelled' || !row.is_wanted) {
    return { kind: 'cancelled' }
  }
  if (row.announcement === 'paused') return { kind: 'held' }
  const { address, token, template, kind, series_due_at: dueAt, subscriber } = row
  if (kind === 'series' && !isInTime(dueAt, now)) return { kind: 'cancelled' }
  const waitsUntil = kind && (await roomInDay(reader, { id, subscriber, kind }, now))
  if (waitsUntil) return { kind: 'put-off', dueAt: waitsUntil }
  return { kind: 'wanted', address, token, template }
}

/** How an attempt ends. `why` never holds an address. */
export type MailOutcome =
  | { kind: 'sent'; ms: number }
  /** `isRefused`: the recipient's server takes no mail for this address, now or later. */
  | { kind: 'failed'; why: string; isRefused: boolean }
  /** The recipient's server defers the mail. It counts as a try. */
  | { kind: 'deferred'; why: string; dueAt: number }
  /** The relay or we failed, not the recipient: the mail waits, and it counts as no try. */
  | { kind: 'held-up'; why: string; dueAt: number }
  /** The server stopped during the attempt. */
  | { kind: 'broken-off' }
  /** Nothing was tried. */
  | { kind: 'put-off'; dueAt: number }
  | { kind: 'cancelled' | 'held' }

/** Ends the worker's claim. False: another worker has taken the mail over, or it was erased. */
export async function recordOutcome(
  transaction: Transaction,
  { id, priority }: Pick<ClaimedMail, 'id' | 'priority'>,
  outcome: MailOutcome,
  { worker, now }: { worker: string; now: number },
): Promise<boolean> {
  const changed = await transaction.run(sql`
    update deliveries set ${columnsAfter(outcome, now)}
    where id = ${id} and worker = ${worker} and state = 'sending'`)
  if (outcome.kind === 'sent') await countHandOver(transaction, priority, now)
  return changed > 0
}

function columnsAfter(outcome: MailOutcome, now: number): Sql {
  switch (outcome.kind) {
    case 'sent':
      return sql`state = 'sent', finished_at = ${now}, last_fault = null`
    case 'failed':
      return sql`state = 'failed', finished_at = ${now}, last_fault = ${outcome.why}`
    case 'deferred':
      return sql`state = 'queued', worker = null, due_at = ${outcome.dueAt},
        waits_since = ${now}, last_fault = ${outcome.why}, failures = failures + 1`
    case 'held-up':
      return sql`state = 'queued', worker = null, due_at = ${outcome.dueAt},
        waits_since = ${now}, last_fault = ${outcome.why}`
    case 'broken-off':
      return sql`state = 'queued', worker = null, due_at = ${now}, waits_since = ${now}`
    case 'put-off':
      return sql`state = 'queued', worker = null, due_at = ${outcome.dueAt}, waits_since = ${now}`
    case 'cancelled':
      return sql`state = 'cancelled', finished_at = ${now}`
    case 'held':
      return sql`state = 'held'` // with its worker: an attempt may have been interrupted before
    default:
      return outcome satisfies never
  }
}

export interface MailOfReceipt {
  state: string
  /** ms since 1970. */
  queued_at: number
  finished_at: number | null
}

/** When the mail of a receipt was queued and handed over. Undefined: unknown. */
export function findByReceipt(
  reader: Reader,
  receipt: string,
  senderDomain: string,
): Promise<MailOfReceipt | undefined> {
  return reader.row<MailOfReceipt>(sql`
    select state, queued_at, finished_at from deliveries
    where message_id = ${messageIdOf(receipt, senderDomain)}`)
}

const timeLength = 9

/** A random value of 78 bits behind the time, so that the index of Message-IDs grows at its end. */
function newReceipt(now: number): string {
  const time = now.toString(36).padStart(timeLength, '0')
  return time + newToken().slice(timeLength)
}

/** A hash, so that the Message-ID does not give the receipt away. */
function messageIdOf(receipt: string, senderDomain: string): string {
  const hidden = hash('sha256', receipt, 'base64url').slice(0, 22)
  return `<${receipt.slice(0, timeLength)}${hidden}@${senderDomain}>`
}
