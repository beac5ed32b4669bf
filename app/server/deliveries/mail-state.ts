import sql from 'sql-template-tag'
import type { Reader, Transaction } from '../database/database.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import type { Log } from '../log.ts'
import { recipientDeferred } from '../transports/smtp-failure.ts'
import { announcementPriority, type MailOutcome } from './deliveries.ts'

/**
 * `stuck`: a starter mail has waited for 5 minutes, and since then none was handed over. Mail that its own recipient defers
 * (greylisting) does not count. `late`: mail goes out, but a starter mail has been due for 30 minutes, because more is queued
 * than the ceiling of the site or the relay lets through.
 */
export interface MailTrouble {
  kind: 'stuck' | 'late'
  /** ms since 1970. */
  since: number
  /** Never holds an address. */
  why: string
}

export interface MailState {
  /** Starter mails queued or being sent, and announcements. */
  waiting: number
  announcementsWaiting: number
  /** When the oldest starter mail that waits was queued. */
  oldestQueuedAt: number | undefined
  lastHandOverAt: number | undefined
  /** The last time that the relay took no mail at all: unreachable, or it refused us. */
  lastRefusal: { at: number; why: string } | undefined
  /** The relay took no mail when it was last tried. */
  isRelayAway: boolean
  trouble: MailTrouble | undefined
}

const stuckAfterMs = 5 * 60_000
const lateAfterMs = 30 * 60_000
const names = { handOver: 'last-hand-over', refusal: 'last-refusal' }
const notTried = 'none was tried: the ceiling of the site is reached, or nothing sends'
const tooMany = 'more mail is queued than goes out: the ceiling of the site is reached, or the relay is slow'

/** Recorded with the outcome of each attempt. */
export async function recordFlow(transaction: Transaction, outcome: MailOutcome, now: number): Promise<void> {
  if (outcome.kind === 'sent') await writeSetting(transaction, names.handOver, String(now))
  else if (outcome.kind === 'postponed' && outcome.isRelayAway)
    await writeSetting(transaction, names.refusal, JSON.stringify({ at: now, why: outcome.why }))
}

/** The only definition of mail in trouble, for the page, the log, the metrics, the alarms, the doctor and the desk. */
export async function readMailState(reader: Reader, now: number): Promise<MailState> {
  const handOver = await readSetting(reader, names.handOver)
  const refusal = await readSetting(reader, names.refusal)
  const queue = await readQueue(reader)
  const lastHandOverAt = handOver === undefined ? undefined : Math.min(Number(handOver), now)
  const lastRefusal: MailState['lastRefusal'] = refusal === undefined ? undefined : JSON.parse(refusal) // as recordFlow wrote it
  return {
    waiting: queue.waiting,
    announcementsWaiting: queue.announcements,
    oldestQueuedAt: queue.oldestQueuedAt ?? undefined,
    lastHandOverAt,
    lastRefusal,
    isRelayAway: lastRefusal !== undefined && lastRefusal.at > (lastHandOverAt ?? 0),
    trouble: troubleOf(queue, lastHandOverAt ?? 0, now),
  }
}

interface Queue {
  waiting: number
  announcements: number
  oldestQueuedAt: number | null
  /** The oldest that its recipient does not defer. */
  stuckQueuedAt: number | null
  oldestDueAt: number | null
  lastFault: string | null
}

async function readQueue(reader: Reader): Promise<Queue> {
  const starter = sql`state in ('queued', 'sending') and priority < ${announcementPriority}`
  const ours = sql`(last_fault is null or last_fault not like ${recipientDeferred})`
  const row = await reader.row<Queue>(sql`
    select count(*) as "waiting", min(queued_at) as "oldestQueuedAt", min(due_at) as "oldestDueAt",
      min(case when ${ours} then queued_at end) as "stuckQueuedAt",
      (select last_fault from deliveries where ${starter} and ${ours} and last_fault is not null
        order by priority, due_at limit 1) as "lastFault",
      (select count(*) from deliveries
        where state in ('queued', 'sending') and priority = ${announcementPriority}) as "announcements"
    from deliveries where ${starter}`)
  return row!
}

function troubleOf(queue: Queue, lastHandOverAt: number, now: number): MailTrouble | undefined {
  const { stuckQueuedAt, oldestDueAt, lastFault } = queue
  const stuckSince = Math.max(stuckQueuedAt ?? Infinity, lastHandOverAt)
  if (now - stuckSince >= stuckAfterMs) return { kind: 'stuck', since: stuckSince, why: lastFault ?? notTried }
  if (oldestDueAt !== null && now - oldestDueAt >= lateAfterMs)
    return { kind: 'late', since: oldestDueAt, why: tooMany }
  return undefined
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
    if (trouble?.kind !== known?.kind)
      if (trouble) log.error(events[trouble.kind], { waiting, why: trouble.why })
      else log.warn('mail flows again', { waiting })
    known = trouble
  }
}
