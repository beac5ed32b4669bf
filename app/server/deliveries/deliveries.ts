import { hash } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import { clockToleranceMs, dayMs } from '../database/clock.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { giveToken, newToken } from '../subscribers/subscribers.ts'
import { countHandOver, handOversOfHour, quietShare } from './hand-overs.ts'
import type { MailingRules } from './mailing-rules.ts'
import { longestSpreadMs } from './waits.ts'

/** Lower goes first: 0 the starter mail of a quiet network, 1 of a busy one, 9 a mailing. */
export type Priority = 0 | 1 | 9
export const mailingPriority = 9

export interface NewMail {
  subscriber: number
  /** Hash of the template that the mail is written from. */
  template: string
  /** The right side of the Message-ID. */
  senderDomain: string
  priority: Priority
  /** ms since 1970. */
  now: number
  /** The mail to many that it is part of. Undefined: it is a starter mail. */
  mailing?: number
}

/** Queues a mail, due now. Returns its receipt, with which the visitor's page asks about it. */
export async function queueMail(transaction: Transaction, mail: NewMail): Promise<string> {
  const { subscriber, template, senderDomain, priority, now, mailing = null } = mail
  const receipt = newReceipt(now)
  await transaction.run(sql`
    insert into deliveries (subscriber, mailing, message_id, template, state, priority, due_at, queued_at)
    values (${subscriber}, ${mailing}, ${`${leftSideOf(receipt)}@${senderDomain}>`}, ${template},
      'queued', ${priority}, ${now}, ${now})`)
  return receipt
}

/** A dead worker's mail is due again after this time. An attempt that takes longer renews it. */
export const leaseMs = 45_000

export interface ClaimedMail {
  id: number
  subscriber: number
  mailing: number | null
  message_id: string
  queued_at: number
  failures: number
  priority: Priority
  /** ms since 1970. */
  refused_since: number | null
}

export interface Claim {
  /** Names this process in the leases. */
  worker: string
  now: number
  /** The most mails to claim, and the most of them with a priority above 0. */
  maxMails: number
  maxAbove0: number
  /** Mails an hour. Infinity: no ceiling. */
  ceiling: number
  /**
   * Of each priority the newest first: a relay that fails may refuse all that waits, and must not
   * keep a new visitor waiting for it.
   */
  isNewestFirst?: boolean
}

export interface Claimed {
  mails: ClaimedMail[]
  /** The hour's ceiling leaves no room for more. */
  isFull: boolean
}

/** Leases the mails that are due, in order of priority. */
export async function claimMails(transaction: Transaction, claim: Claim): Promise<Claimed> {
  const { maxMails, maxAbove0, ceiling } = claim
  const room = await readHourRoom(transaction, claim)
  const mails0 = await claimDue(transaction, 0, Math.min(maxMails, room), claim)
  const reserve = ceiling === Infinity ? 0 : Math.floor(ceiling * quietShare)
  const left = Math.min(maxMails, room - reserve) - mails0.length
  const mails1 = await claimDue(transaction, 1, Math.min(left, maxAbove0), claim)
  const mails9 = await claimDue(transaction, 9, Math.min(left, maxAbove0) - mails1.length, claim)

  const mails = [...mails0, ...mails1, ...mails9]
  for (const { subscriber } of mails) await giveToken(transaction, subscriber)
  return { mails, isFull: room <= 0 }
}

/**
 * The mails that the hour's ceiling leaves: beside those of the last hour, and those being sent.
 */
async function readHourRoom(
  transaction: Transaction,
  { ceiling, now }: Pick<Claim, 'ceiling' | 'now'>,
): Promise<number> {
  if (ceiling === Infinity) return Infinity
  await transaction.lock('mails of the hour')
  // In one statement, so that a mail whose outcome is recorded meanwhile counts once.
  const row = await transaction.row<{ used: number }>(sql`
    select ${handOversOfHour(now)}
      + (select count(*) from deliveries where state = 'sending' and due_at > ${now}) as used`)
  return ceiling - row!.used
}

async function claimDue(
  transaction: Transaction,
  priority: Priority,
  max: number,
  { worker, now, isNewestFirst = false }: Claim,
): Promise<ClaimedMail[]> {
  if (max <= 0) return [] // SQLite reads a negative limit as no limit
  const order = isNewestFirst ? sql`due_at desc, id desc` : sql`due_at, id`
  return transaction.rows<ClaimedMail>(sql`
    with due as materialized (
      select id from deliveries
      where state in ('queued', 'sending') and priority = ${priority} and due_at <= ${now}
      order by ${order} limit ${max} ${transaction.skipLocked}
    )
    update deliveries
    set state = 'sending', worker = ${worker}, due_at = ${now + leaseMs}
    where id in (select id from due)
    returning id, subscriber, mailing, message_id, queued_at, failures, priority, refused_since`)
}

/** True if a mail could be claimed. It reads one entry of the index for each priority. */
export async function isMailDue(reader: Reader, now: number): Promise<boolean> {
  const row = await reader.row(
    sql`select 1 where ${isDue(0, now)} or ${isDue(1, now)} or ${isDue(9, now)}`,
  )
  return row !== undefined
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
    update deliveries set due_at = ${now + leaseMs}
    where id in (${join(ids)}) and worker = ${worker} and state = 'sending'`)
}

/** Rows that the repair of clocks looks at, for the time at which they were queued. */
const newestMails = 10_000

/**
 * Makes mail due that waits for longer than it would by any right clock; a lease begins again, so
 * that nobody takes over what is being sent. Mail that has ended was queued now at the latest: the
 * ceiling of its inbox counts it by that time.
 */
export function endFutureWaits(now: number, retrySeconds: readonly number[]): Sql {
  const future = now + clockToleranceMs
  const retries = retrySeconds.map(
    (seconds, index) =>
      sql`when failures = ${index + 1} then cast(${longestSpreadMs(seconds * 1000)} as bigint)`,
  )
  const longest = sql`case when state = 'sending' then cast(${leaseMs} as bigint)
    when last_fault is null and mailing is null then 0
    ${join(retries, ' ')} else cast(${longestSpreadMs(dayMs)} as bigint) end`
  const isWaiting = sql`(state in ('queued', 'sending') and priority in (0, 1, 9)
    and due_at > ${future} and due_at - ${longest} > ${future})`
  const isEnded = sql`(state not in ('queued', 'sending') and queued_at > ${future})`
  return sql`
    update deliveries set
      due_at = case when not ${isWaiting} then due_at
        when state = 'sending' then ${now + leaseMs} else ${now} end,
      queued_at = case when ${isEnded} then ${now} else queued_at end,
      refused_at = case when refused_at > ${future} then ${now} else refused_at end
    where id in (
      select id from deliveries where ${isWaiting}
      union all
      select id from deliveries
      where id > (select max(id) from deliveries) - ${newestMails} and ${isEnded}
      union all
      select id from deliveries where refusal is not null and refused_at > ${future})`
}

/**
 * Mail that the relay or we held up is due. Called once another service, or another sender, may
 * take it. Mail that its recipient defers goes on waiting.
 */
export async function endHoldUps(transaction: Transaction, now: number): Promise<void> {
  await transaction.run(sql`
    update deliveries set due_at = ${now}
    where state = 'queued' and priority in (0, 1, 9) and due_at > ${now}
      and failures = 0 and last_fault is not null`)
}

/**
 * `cancelled`: they left the list, or its mailing says so. `held`: its mailing is paused. `gone`:
 * erased, or another worker has it.
 */
export type SendCheck =
  /** `template`: as keepTemplate wrote it. */
  | { kind: 'wanted'; address: string; token: string; template: string }
  | { kind: 'cancelled' | 'held' | 'gone' }
  /** Another mail of the site goes to them, or has just gone. */
  | { kind: 'put-off'; dueAt: number }

/** Asked right before each attempt: since the claim they may have left, or have another address. */
export async function checkBeforeSending(
  reader: Reader,
  { id, mailing }: Pick<ClaimedMail, 'id' | 'mailing'>,
  { worker, now, rules }: { worker: string; now: number; rules: MailingRules },
): Promise<SendCheck> {
  const row = await reader.row<{
    subscriber: number
    address: string
    token: string
    template: string
    state: string
  }>(sql`
    select s.id as subscriber, s.address, s.token, t.content as template, s.state
    from deliveries d
      join subscribers s on s.id = d.subscriber
      join mail_templates t on t.hash = d.template
    where d.id = ${id} and d.worker = ${worker} and d.state = 'sending'`)
  if (!row) return { kind: 'gone' }
  const { subscriber, state, ...wanted } = row
  if (state !== 'active') return { kind: 'cancelled' }
  if (mailing !== null) {
    const answer = await rules.mayGo(reader, { id, mailing, subscriber }, now)
    if (answer.kind !== 'go') return answer
  }
  return { kind: 'wanted', ...wanted }
}

/** How an attempt ends. `why` never holds an address. */
export type MailOutcome =
  /** `ms`: how long sending took. */
  | { kind: 'sent'; ms: number }
  /**
   * `isRefused`: the recipient's server takes no mail for this address, now or later. `words`: as
   * the mailer gives them.
   */
  | { kind: 'failed'; why: string; isRefused: boolean; words?: string }
  /** The recipient's server defers the mail. It counts as a try. */
  | { kind: 'deferred'; why: string; words?: string; dueAt: number }
  /**
   * The relay or we failed, not the recipient: the mail waits, and it counts as no try.
   * `mayBeTheMail`: another one may be taken.
   */
  | { kind: 'held-up'; why: string; mayBeTheMail?: boolean; dueAt: number }
  /** Its template cannot be read: it waits as well, and says nothing of the relay. */
  | { kind: 'unwritten'; why: string; dueAt: number }
  /** The server stopped during the attempt. */
  | { kind: 'broken-off' }
  /** Nothing was tried. */
  | { kind: 'put-off'; dueAt: number }
  | { kind: 'cancelled' | 'held' }

/** Ends the worker's claim. False: another worker has taken the mail over, or it was erased. */
export async function recordOutcome(
  transaction: Transaction,
  { id, mailing }: Pick<ClaimedMail, 'id' | 'mailing'>,
  outcome: MailOutcome,
  { worker, now, rules }: { worker: string; now: number; rules: MailingRules },
): Promise<boolean> {
  const changed = await transaction.run(sql`
    update deliveries set ${columnsAfter(outcome, now)}
    where id = ${id} and worker = ${worker} and state = 'sending'`)
  // It counts even if the claim is lost: the relay has taken the mail.
  if (outcome.kind === 'sent') await countHandOver(transaction, now)
  const isEnd = outcome.kind === 'sent' || outcome.kind === 'failed'
  if (changed > 0 && isEnd && mailing !== null) {
    await rules.recordEnd(transaction, mailing, outcome.kind)
  }
  return changed > 0
}

function columnsAfter(outcome: MailOutcome, now: number): Sql {
  switch (outcome.kind) {
    case 'sent':
      return sql`state = 'sent', finished_at = ${now}, last_fault = null`
    case 'failed':
      return sql`state = 'failed', finished_at = ${now}, last_fault = ${outcome.why}`
    case 'deferred':
      return sql`state = 'queued', worker = null, due_at = ${outcome.dueAt}, last_fault = ${outcome.why}, failures = failures + 1`
    case 'held-up':
    case 'unwritten':
      return sql`state = 'queued', worker = null, due_at = ${outcome.dueAt}, last_fault = ${outcome.why}`
    case 'broken-off':
      return sql`state = 'queued', worker = null, due_at = ${now}`
    case 'put-off':
      return sql`state = 'queued', worker = null, due_at = ${outcome.dueAt}`
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

/**
 * Returns when the mail of a receipt was queued and handed over, whatever the sender's domain was.
 * Undefined: unknown.
 */
export function findByReceipt(reader: Reader, receipt: string): Promise<MailOfReceipt | undefined> {
  const left = leftSideOf(receipt)
  return reader.row<MailOfReceipt>(sql`
    select state, queued_at, finished_at from deliveries
    where message_id between ${`${left}@`} and ${`${left}A`}`) // A comes after @
}

/** The base-36 digits of a time in ms: enough until the year 5188. */
const timeLength = 9

/** A random value of 78 bits behind the time, so that the index of Message-IDs grows at its end. */
function newReceipt(now: number): string {
  const time = now.toString(36).padStart(timeLength, '0')
  return time + newToken().slice(timeLength)
}

/** A hash, so that the Message-ID does not give the receipt away. */
function leftSideOf(receipt: string): string {
  const hidden = hash('sha256', receipt, 'base64url').slice(0, 22)
  return `<${receipt.slice(0, timeLength)}${hidden}`
}
