import sql, { type Sql } from 'sql-template-tag'
import { ownerMailText } from '#content/owner-mail.ts'
import { clockToleranceMs, dayMs } from '../database/clock.ts'
import type { Reader, Transaction } from '../database/database.ts'
import type { Log } from '../log.ts'
import { mailingPriority, type MailOutcome } from './deliveries.ts'
import { longestSpreadMs } from './waits.ts'

/** The relay took no mail when it was last tried. Times are ms since 1970. */
export interface RelayAway {
  /** The first fault since the relay last answered. */
  since: number
  /** The last fault. Never holds an address. */
  why: string
  nextTryAt: number
}

/**
 * `stuck`: a starter mail has waited for 5 minutes because the relay takes none, or because nothing
 * sends. Mail that its own recipient defers (greylisting) does not count. `late`: mail goes out,
 * but a starter mail has been due for 30 minutes, because more is queued than the ceiling of the
 * site or the relay lets through.
 */
export interface MailTrouble {
  kind: 'stuck' | 'late'
  /** ms since 1970. */
  since: number
  /** Never holds an address. */
  why: string
}

/** The relay said the same about people of different domains. Times are ms since 1970. */
export interface SameRefusals {
  since: number
  lastAt: number
  /** Never holds an address. */
  why: string
}

interface Relay {
  /** ms since 1970. */
  lastHandOverAt: number | undefined
  relayAway: RelayAway | undefined
  /** Those of the last hour, if there were any. */
  sameRefusals: SameRefusals | undefined
}

export interface MailFlow extends Relay {
  trouble: MailTrouble | undefined
}

export interface MailState extends MailFlow {
  /** Starter mails. */
  waiting: number
  /** Mails of mailings. */
  mailingsWaiting: number
  /** When the oldest of the starter mails that go first was queued, in ms since 1970. */
  oldestQueuedAt: number | undefined
}

const hourMs = 60 * 60_000
const stuckAfterMs = 5 * 60_000
const lateAfterMs = 30 * 60_000
/** Why a mail waits whose template is damaged. */
export const unwritable = 'the mail cannot be written'
const notTried = 'none was tried: the ceiling of the site is reached, or nothing sends'
const tooMany =
  'more mail is queued than goes out: the ceiling of the site is reached, or the relay is slow'

/**
 * Recorded with the outcome of each attempt. `nextTryMs`: how long the relay is left alone after a
 * fault.
 */
export async function recordFlow(
  transaction: Transaction,
  outcome: MailOutcome,
  { now, nextTryMs }: { now: number; nextTryMs: number },
): Promise<void> {
  switch (outcome.kind) {
    case 'sent':
      return setRelay(transaction, sql`last_hand_over_at = ${now}, ${isHere}`)
    case 'failed':
    case 'deferred':
      return setRelay(transaction, isHere)
    case 'held-up':
      return setRelay(
        transaction,
        sql`away_since = coalesce(relay.away_since, ${now}), away_why = ${outcome.why},
          next_try_at = ${Math.max(outcome.dueAt, now + nextTryMs)}`,
      )
    default: // the relay was not asked, or could not answer in time
  }
}

const isHere = sql`away_since = null, away_why = null, next_try_at = null`

async function setRelay(transaction: Transaction, columns: Sql): Promise<void> {
  const changed = await transaction.run(sql`update relay set ${columns} where id = 1`)
  if (changed > 0) return
  await transaction.run(sql`insert into relay (id) values (1) on conflict do nothing`)
  await transaction.run(sql`update relay set ${columns} where id = 1`)
}

interface RelayRow {
  lastHandOverAt: number | null
  awaySince: number | null
  awayWhy: string
  nextTryAt: number
  sameSince: number | null
  sameAt: number
  sameWhy: string
}

export async function readRelay(reader: Reader, now: number): Promise<Relay> {
  const row = await reader.row<RelayRow>(sql`
    select last_hand_over_at as "lastHandOverAt", away_since as "awaySince", away_why as "awayWhy",
      next_try_at as "nextTryAt", same_since as "sameSince", same_at as "sameAt",
      same_why as "sameWhy"
    from relay`)
  if (!row) return { lastHandOverAt: undefined, relayAway: undefined, sameRefusals: undefined }
  const { awaySince, sameSince, sameAt } = row
  const isAway = awaySince !== null
  const isRefusing = sameSince !== null && sameAt > now - hourMs
  return {
    lastHandOverAt: row.lastHandOverAt ?? undefined,
    relayAway: isAway
      ? { since: awaySince, why: row.awayWhy, nextTryAt: row.nextTryAt }
      : undefined,
    sameRefusals: isRefusing ? { since: sameSince, lastAt: sameAt, why: row.sameWhy } : undefined,
  }
}

export async function noteSameRefusals(
  transaction: Transaction,
  why: string,
  now: number,
): Promise<void> {
  const { sameRefusals } = await readRelay(transaction, now)
  const since = sameRefusals?.since ?? now
  await setRelay(transaction, sql`same_since = ${since}, same_at = ${now}, same_why = ${why}`)
}

/** The times of the relay's row lie behind, but for the next try. */
export function forgetFutureRelay(now: number): Sql {
  const future = now + clockToleranceMs
  const past = (column: Sql) =>
    sql`${column} = case when ${column} > ${future} then ${now} else ${column} end`
  return sql`
    update relay set ${past(sql`last_hand_over_at`)}, ${past(sql`away_since`)},
      ${past(sql`same_since`)}, ${past(sql`same_at`)},
      next_try_at = case when next_try_at > ${future + longestSpreadMs(dayMs)} then ${now} else next_try_at end
    where last_hand_over_at > ${future} or away_since > ${future} or same_at > ${future}`
}

/**
 * The only definition of mail in trouble, for the page, the log, the metrics, the alarms, the
 * doctor and the desk.
 */
export async function readMailFlow(reader: Reader, now: number): Promise<MailFlow> {
  return readFlowOf(reader, await readQueueHead(reader), now)
}

/** Reads the flow of mail, and counts the mail that waits. */
export async function readMailState(reader: Reader, now: number): Promise<MailState> {
  const head = await readQueueHead(reader)
  const counted = await reader.row<{ waiting: number; mailings: number }>(sql`
    select (select count(*) from deliveries where ${waitingStarter}) as "waiting",
      (select count(*) from deliveries
        where state in ('queued', 'sending')
          and priority = ${mailingPriority}) as "mailings"`)
  return {
    ...(await readFlowOf(reader, head, now)),
    waiting: counted!.waiting,
    mailingsWaiting: counted!.mailings,
    oldestQueuedAt: head.length > 0 ? earliest(head, 'queued_at') : undefined,
  }
}

const waitingStarter = sql`state in ('queued', 'sending') and priority < ${mailingPriority}`

interface WaitingMail {
  queued_at: number
  due_at: number
  last_fault: string | null
}

/** A long queue costs no more than these. */
const maxHeadRows = 100

/** The head of the queue: the starter mails that go first. */
function readQueueHead(reader: Reader): Promise<WaitingMail[]> {
  return reader.rows<WaitingMail>(sql`
    select queued_at, due_at, last_fault from deliveries where ${waitingStarter}
    order by priority, due_at limit ${maxHeadRows}`)
}

async function readFlowOf(
  reader: Reader,
  head: readonly WaitingMail[],
  now: number,
): Promise<MailFlow> {
  const relay = await readRelay(reader, now)
  return { ...relay, trouble: troubleOf(head, relay, now) }
}

function troubleOf(
  head: readonly WaitingMail[],
  { relayAway, lastHandOverAt = 0 }: Relay,
  now: number,
): MailTrouble | undefined {
  if (head.length === 0) return undefined
  const dueSince = earliest(head, 'due_at')
  const { since, why } = whyNoneGoes(head, relayAway, lastHandOverAt)
  if (now - since >= stuckAfterMs) return { kind: 'stuck', since, why }
  return now - dueSince >= lateAfterMs ? { kind: 'late', since: dueSince, why: tooMany } : undefined
}

/** If none goes out, this is why, and since when. */
function whyNoneGoes(
  head: readonly WaitingMail[],
  relayAway: RelayAway | undefined,
  lastHandOverAt: number,
): { since: number; why: string } {
  // Each of these two sets `due_at` ahead, so it does not tell how long the mail has waited.
  if (relayAway) {
    return { since: Math.max(relayAway.since, earliest(head, 'queued_at')), why: relayAway.why }
  }
  if (head.every(({ last_fault }) => last_fault === unwritable)) {
    return { since: earliest(head, 'queued_at'), why: unwritable }
  }
  return { since: Math.max(lastHandOverAt, earliest(head, 'due_at')), why: notTried }
}

function earliest(mails: readonly WaitingMail[], column: 'queued_at' | 'due_at'): number {
  return Math.min(...mails.map((mail) => mail[column]))
}

/** Called every minute. Logs when mail gets into trouble, and when it flows again. */
export function watchMail(log: Log, now: () => number): (reader: Reader) => Promise<void> {
  let known: MailTrouble | undefined
  return async (reader: Reader): Promise<void> => {
    const { trouble, waiting } = await readMailState(reader, now())
    if (trouble?.kind !== known?.kind) {
      if (trouble) {
        log.error(ownerMailText.mailTrouble[trouble.kind].what, { waiting, why: trouble.why })
      } else {
        log.warn('mail flows again', { waiting })
      }
    }
    known = trouble
  }
}
