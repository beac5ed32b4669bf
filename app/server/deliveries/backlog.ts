import { sql } from 'kysely'
import { type Connection, type Database, isPostgres } from '../database/database.ts'
import { readSetting, settingNames, writeSetting } from '../database/settings.ts'
import type { Log } from '../log.ts'
import { repeat } from '../start/repeat.ts'
import { recipientDeferred } from '../transports/smtp-failure.ts'
import { announcementLane, lanes, parkedUntil } from './lanes.ts'

/**
 * `stuck`: some mail has waited for 5 minutes, and for 5 minutes none has left the queue. Mail that its own recipient defers
 * (greylisting) counts only if recipients of two domains are deferred and none has left the queue since. `late`: mail goes out,
 * but some has been due for 30 minutes, because more is queued than the ceiling of the site or the relay lets through.
 */
export interface MailTrouble {
  kind: 'stuck' | 'late'
  /** ms since 1970. */
  since: number
  /** Never holds an address. */
  why: string
}

interface Backlog {
  /** Queued or being sent. */
  unsent: number
  /** When the oldest unsent delivery was queued, in ms since 1970. */
  oldestQueuedAt: number | undefined
  /** When the longest overdue delivery fell due. A lease that has ended counts: its worker died. */
  overdueSince: number | undefined
  trouble: MailTrouble | undefined
}

const stuckAfterMs = 5 * 60_000
const lateAfterMs = 30 * 60_000
const checkEveryMs = 30_000
const notTried = 'none was tried: the ceiling of the site is reached, or nothing sends'
const tooMany = 'more mail is queued than goes out: the ceiling of the site is reached, or the relay is slow'

/** The only definition of mail in trouble, for the log, the metrics, the alarms, the doctor and the statistics. */
export async function readBacklog(query: Connection, now: number): Promise<Backlog> {
  const flow = await readFlow(query)
  const queue = await readQueue(query, flow, now)
  return backlogOf(queue, advance(flow, queue, now), now)
}

/** Logs when mail gets into trouble, and when it flows again. */
export function watchBacklog({
  database,
  log,
  now,
  onChange = () => {},
}: {
  database: Database
  log: Log
  now: () => number
  /** Is undefined when mail flows again. */
  onChange?: (trouble: MailTrouble | undefined) => void
}) {
  const startedAt = now()
  let known: MailTrouble | undefined

  async function check(): Promise<void> {
    const { query } = database
    const kept = await readFlow(query, startedAt)
    const queue = await readQueue(query, kept, now())
    const flow = advance(kept, queue, now())
    if (flow.left !== kept.left) await writeSetting(query, settingNames.mailFlow, JSON.stringify(flow))
    const { trouble, unsent } = backlogOf(queue, flow, now())
    if (trouble?.kind === known?.kind) return
    if (trouble) log.error(events[trouble.kind], { unsent, why: trouble.why })
    else if (known) log.warn('mail flows again', { afterMinutes: minutesSince(known.since), unsent })
    known = trouble
    onChange(trouble)
  }

  const minutesSince = (since: number) => Math.round((now() - since) / 60_000)
  const timer = repeat(checkEveryMs, () =>
    check().catch((cause: unknown) => log.error('cannot read the backlog of mail', { cause })),
  )
  return { check, trouble: () => known, stop: () => timer.stop(0) }
}

const events = {
  stuck: 'mail has been stuck for 5 minutes: none went out',
  late: 'mail has been due for 30 minutes: less goes out than is queued',
}

interface Queue {
  unsent: number
  /** Deliveries of announcements that wait for their hour. */
  parked: number
  oldestQueuedAt: number | null
  /** The oldest that counts for `stuck`. */
  stuckQueuedAt: number | null
  nextDueAt: number | null
  newestId: number
  lastFault: string | null
}

/**
 * Reads only the ends of each lane, so that a long queue costs no more than its count. Mail that is not due yet is not counted as
 * waiting.
 */
async function readQueue(query: Connection, { movedAt }: Flow, now: number): Promise<Queue> {
  const position = isPostgres(query) ? 'strpos' : 'instr'
  const ends = (order: 'due_at' | 'due_at desc') => {
    const queries = lanes.map(
      (lane) => `
        select * from (
          select due_at, queued_at, last_fault,
            case when last_fault like '${recipientDeferred}' and due_at > (select now from given) - ${stuckAfterMs} then
              (select substr(identity, ${position}(identity, '@')) from subscribers where id = subscriber)
            end as deferred_by
          from deliveries
          where state in ('queued', 'sending') and lane = ${lane} and due_at < ${parkedUntil}
            and (failures > 0 or due_at <= (select now from given) or state = 'sending')
          order by ${order} limit 100
        ) as lane_${lane}`,
    )
    return sql.raw(queries.join(' union all '))
  }
  const several = (rows: string) =>
    sql.raw(`(select count(distinct deferred_by) from ${rows}
      where queued_at between ${movedAt} and (select now from given) - ${stuckAfterMs}) > 1`)
  const { rows } = await sql<Queue>`
    with given as (select cast(${now} as bigint) as now),
      due_first as (${ends('due_at')}), due_last as (${ends('due_at desc')})
    select (select count(*) from deliveries where state in ('queued', 'sending') and due_at < ${parkedUntil}) as "unsent",
      (select count(*) from deliveries
        where state in ('queued', 'sending') and lane = ${announcementLane} and due_at = ${parkedUntil}) as "parked",
      coalesce((select max(id) from deliveries), 0) as "newestId",
      (select min(due_at) from due_first) as "nextDueAt",
      (select min(queued_at) from due_first) as "oldestQueuedAt",
      (select min(queued_at) from due_first where deferred_by is null or ${several('due_first')}) as "stuckQueuedAt",
      (select last_fault from due_last where last_fault is not null and (deferred_by is null or ${several('due_last')})
        order by queued_at limit 1) as "lastFault"`.execute(query)
  return rows[0]!
}

/** A row of the settings, so that every process, even after a restart, knows how long nothing has left the queue. */
interface Flow {
  /** How many deliveries have left the queue. */
  left: number
  /** When `left` last grew, in ms since 1970. */
  movedAt: number
}

function advance(kept: Flow, { newestId, unsent, parked }: Queue, now: number): Flow {
  const left = newestId - unsent - parked
  // `left` falls when the newest delivery is erased.
  return { left, movedAt: left > kept.left ? now : kept.movedAt }
}

function backlogOf(queue: Queue, { movedAt }: Flow, now: number): Backlog {
  const { unsent, lastFault } = queue
  const stuckSince = Math.max(queue.stuckQueuedAt ?? Infinity, movedAt)
  const overdueSince = queue.nextDueAt !== null && queue.nextDueAt < now ? queue.nextDueAt : undefined
  const backlog = { unsent, oldestQueuedAt: queue.oldestQueuedAt ?? undefined, overdueSince }
  if (now - stuckSince >= stuckAfterMs)
    return { ...backlog, trouble: { kind: 'stuck', since: stuckSince, why: lastFault ?? notTried } }
  if (overdueSince !== undefined && now - overdueSince >= lateAfterMs)
    return { ...backlog, trouble: { kind: 'late', since: overdueSince, why: tooMany } }
  return { ...backlog, trouble: undefined }
}

/** Before the first row, `left` is NaN, which nothing exceeds. */
async function readFlow(query: Connection, movedAt = 0): Promise<Flow> {
  const value = await readSetting(query, settingNames.mailFlow)
  return value === undefined ? { left: NaN, movedAt } : JSON.parse(value)
}
