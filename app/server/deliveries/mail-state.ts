import sql from 'sql-template-tag'
import { clockToleranceMs } from '../database/clock.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import type { Log } from '../log.ts'
import { recipientDeferred } from '../transports/smtp-failure.ts'
import { announcementPriority, type MailOutcome } from './deliveries.ts'

/**
 * `stuck`: a starter mail has waited for 5 minutes, and since then none was handed over. Mail that
 * its own recipient defers (greylisting) does not count. `late`: mail goes out, but a starter mail
 * has been due for 30 minutes, because more is queued than the ceiling of the site or the relay
 * lets through.
 */
export interface MailTrouble {
  kind: 'stuck' | 'late'
  /** ms since 1970. */
  since: number
  /** Never holds an address. */
  why: string
}

const stuckAfterMs = 5 * 60_000
const lateAfterMs = 30 * 60_000
const names = { handOver: 'last-hand-over', refusal: 'last-refusal' }
const notTried = 'none was tried: the ceiling of the site is reached, or nothing sends'
const tooMany =
  'more mail is queued than goes out: the ceiling of the site is reached, or the relay is slow'

/** Recorded with the outcome of each attempt. */
export async function recordFlow(
  transaction: Transaction,
  outcome: MailOutcome,
  now: number,
): Promise<void> {
  if (outcome.kind === 'sent') await writeSetting(transaction, names.handOver, String(now))
  else if (outcome.kind === 'postponed' && outcome.isRelayAway) {
    await writeSetting(transaction, names.refusal, JSON.stringify({ at: now, why: outcome.why }))
  }
}

/**
 * The only definition of mail in trouble, for the page, the log, the metrics, the alarms, the
 * doctor and the desk.
 */
export async function readMailFlow(reader: Reader, now: number) {
  return flowOf(reader, await readFirst(reader), now)
}

/** With the mail that waits. `oldestQueuedAt`: when the oldest starter mail among it was queued. */
export async function readMailState(reader: Reader, now: number) {
  const first = await readFirst(reader)
  const counted = await reader.row<{ waiting: number; announcements: number }>(sql`
    select (select count(*) from deliveries where ${starter}) as "waiting",
      (select count(*) from deliveries
        where state in ('queued', 'sending') and priority = ${announcementPriority}) as "announcements"`)
  return {
    ...(await flowOf(reader, first, now)),
    waiting: counted!.waiting,
    announcementsWaiting: counted!.announcements,
    oldestQueuedAt: first.length > 0 ? oldest(first, 'queued_at') : undefined,
  }
}

const starter = sql`state in ('queued', 'sending') and priority < ${announcementPriority}`

interface Waiting {
  queued_at: number
  due_at: number
  last_fault: string | null
}

/** A long queue costs no more than these. */
const firstRows = 100

/** The starter mails that go first. */
function readFirst(reader: Reader): Promise<Waiting[]> {
  return reader.rows<Waiting>(sql`
    select queued_at, due_at, last_fault from deliveries where ${starter} order by priority, due_at limit ${firstRows}`)
}

/**
 * `lastRefusal`: the last time that the relay took no mail at all: unreachable, or it refused us.
 * `isRelayAway`: it took none when it was last tried.
 */
async function flowOf(reader: Reader, first: readonly Waiting[], now: number) {
  const handOver = await readSetting(reader, names.handOver)
  const refusal = await readSetting(reader, names.refusal)
  const lastHandOverAt = handOver === undefined ? undefined : Math.min(Number(handOver), now)
  const lastRefusal: { at: number; why: string } | undefined = refusal && JSON.parse(refusal) // as recordFlow wrote it
  // One in the future was recorded by a clock that was ahead.
  const isRelayAway =
    lastRefusal !== undefined &&
    lastRefusal.at > (lastHandOverAt ?? 0) &&
    lastRefusal.at <= now + clockToleranceMs
  return {
    lastHandOverAt,
    lastRefusal,
    isRelayAway,
    trouble: troubleOf(first, lastHandOverAt ?? 0, now),
  }
}

function troubleOf(
  first: readonly Waiting[],
  lastHandOverAt: number,
  now: number,
): MailTrouble | undefined {
  const ours = first.filter(
    ({ last_fault: fault }) => fault === null || !recipientDeferred.test(fault),
  )
  const stuckSince = Math.max(oldest(ours, 'queued_at'), lastHandOverAt)
  if (now - stuckSince >= stuckAfterMs) {
    const fault = ours.find(({ last_fault: known }) => known !== null)?.last_fault
    return { kind: 'stuck', since: stuckSince, why: fault ?? notTried }
  }
  const dueSince = oldest(first, 'due_at')
  return now - dueSince >= lateAfterMs ? { kind: 'late', since: dueSince, why: tooMany } : undefined
}

/** Infinity: there is none. */
function oldest(mails: readonly Waiting[], column: 'queued_at' | 'due_at'): number {
  return Math.min(...mails.map((mail) => mail[column]))
}

const events = {
  stuck: 'mail has been stuck for 5 minutes: none went out',
  late: 'mail has been due for 30 minutes: less goes out than is queued',
}

/** Called every minute. Logs when mail gets into trouble, and when it flows again. */
export function watchMail(log: Log, now: () => number) {
  let known: MailTrouble | undefined
  return async (reader: Reader): Promise<void> => {
    const { trouble, waiting } = await readMailState(reader, now())
    if (trouble?.kind !== known?.kind) {
      if (trouble) log.error(events[trouble.kind], { waiting, why: trouble.why })
      else log.warn('mail flows again', { waiting })
    }
    known = trouble
  }
}
