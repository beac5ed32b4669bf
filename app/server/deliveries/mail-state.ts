import sql from 'sql-template-tag'
import { ownerMailText } from '#content/owner-mail.ts'
import { clockToleranceMs } from '../database/clock.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { deleteSetting, readSetting, writeSetting } from '../database/settings.ts'
import type { Log } from '../log.ts'
import { mailingPriority, type MailOutcome } from './deliveries.ts'

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
}

export interface MailFlow extends Relay {
  /** Undefined if there was none in the last hour. */
  sameRefusals: SameRefusals | undefined
  trouble: MailTrouble | undefined
}

export interface MailState extends MailFlow {
  /** Starter mails. */
  waiting: number
  announcementsWaiting: number
  /** When the oldest of the starter mails that go first was queued, in ms since 1970. */
  oldestQueuedAt: number | undefined
}

/** The settings that keep the flow of mail. */
export const flowSettings = {
  handOver: 'last-hand-over',
  relayAway: 'relay-away',
  sameRefusals: 'same-refusals',
}

const hourMs = 60 * 60_000
const stuckAfterMs = 5 * 60_000
const lateAfterMs = 30 * 60_000
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
      await writeSetting(transaction, flowSettings.handOver, String(now))
      return deleteSetting(transaction, flowSettings.relayAway)
    case 'failed':
    case 'deferred':
      return deleteSetting(transaction, flowSettings.relayAway)
    case 'held-up': {
      const known = await readRelayAway(transaction, now)
      const nextTryAt = Math.max(outcome.dueAt, now + nextTryMs)
      const away: RelayAway = { since: known?.since ?? now, why: outcome.why, nextTryAt }
      return writeSetting(transaction, flowSettings.relayAway, JSON.stringify(away))
    }
    default: // the relay was not asked, or could not answer in time
  }
}

/** One that began in the future was recorded by a clock that was ahead. */
async function readRelayAway(reader: Reader, now: number): Promise<RelayAway | undefined> {
  const value = await readSetting(reader, flowSettings.relayAway)
  if (value === undefined) return undefined
  const away: RelayAway = JSON.parse(value) // as recordFlow wrote it
  return away.since <= now + clockToleranceMs ? away : undefined
}

export async function readRelay(reader: Reader, now: number): Promise<Relay> {
  const handOver = await readSetting(reader, flowSettings.handOver)
  const lastHandOverAt = handOver === undefined ? undefined : Math.min(Number(handOver), now)
  return { lastHandOverAt, relayAway: await readRelayAway(reader, now) }
}

export async function noteSameRefusals(
  transaction: Transaction,
  why: string,
  now: number,
): Promise<void> {
  const known = await readSameRefusals(transaction, now)
  const noted: SameRefusals = { since: known?.since ?? now, lastAt: now, why }
  await writeSetting(transaction, flowSettings.sameRefusals, JSON.stringify(noted))
}

async function readSameRefusals(reader: Reader, now: number): Promise<SameRefusals | undefined> {
  const value = await readSetting(reader, flowSettings.sameRefusals)
  if (value === undefined) return undefined
  const noted: SameRefusals = JSON.parse(value) // as noteSameRefusals wrote it
  const isRecent = noted.lastAt > now - hourMs && noted.lastAt <= now + clockToleranceMs
  return isRecent ? noted : undefined
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
  const counted = await reader.row<{ waiting: number; announcements: number }>(sql`
    select (select count(*) from deliveries where ${waitingStarter}) as "waiting",
      (select count(*) from deliveries
        where state in ('queued', 'sending')
          and priority = ${mailingPriority}) as "announcements"`)
  return {
    ...(await readFlowOf(reader, head, now)),
    waiting: counted!.waiting,
    announcementsWaiting: counted!.announcements,
    oldestQueuedAt: head.length > 0 ? earliest(head, 'queued_at') : undefined,
  }
}

const waitingStarter = sql`state in ('queued', 'sending') and priority < ${mailingPriority}`

interface WaitingMail {
  queued_at: number
  due_at: number
}

/** A long queue costs no more than these. */
const maxHeadRows = 100

/** The head of the queue: the starter mails that go first. */
function readQueueHead(reader: Reader): Promise<WaitingMail[]> {
  return reader.rows<WaitingMail>(sql`
    select queued_at, due_at from deliveries where ${waitingStarter}
    order by priority, due_at limit ${maxHeadRows}`)
}

async function readFlowOf(
  reader: Reader,
  head: readonly WaitingMail[],
  now: number,
): Promise<MailFlow> {
  const { lastHandOverAt, relayAway } = await readRelay(reader, now)
  const sameRefusals = await readSameRefusals(reader, now)
  const trouble = troubleOf(head, relayAway, lastHandOverAt ?? 0, now)
  return { lastHandOverAt, relayAway, sameRefusals, trouble }
}

function troubleOf(
  head: readonly WaitingMail[],
  relayAway: RelayAway | undefined,
  lastHandOverAt: number,
  now: number,
): MailTrouble | undefined {
  if (head.length === 0) return undefined
  const dueSince = earliest(head, 'due_at')
  // Each fault of the relay sets `due_at` ahead, so it does not tell how long the mail has waited.
  const stuckSince = relayAway
    ? Math.max(relayAway.since, earliest(head, 'queued_at'))
    : Math.max(lastHandOverAt, dueSince)
  if (now - stuckSince >= stuckAfterMs) {
    return { kind: 'stuck', since: stuckSince, why: relayAway?.why ?? notTried }
  }
  return now - dueSince >= lateAfterMs ? { kind: 'late', since: dueSince, why: tooMany } : undefined
}

function earliest(mails: readonly WaitingMail[], column: keyof WaitingMail): number {
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
