import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'
import type { Log } from '../log.ts'

/** `since`: ms since 1970. `why`: without an address in it. */
export interface StuckMail {
  since: number
  why: string
}

export interface StuckMailWatch {
  look(): Promise<void>
  stop(): void
}

const stuckAfterMs = 5 * 60_000
const lookEveryMs = 30_000

/**
 * Says in the log when mail is stuck, and when it flows again. Stuck: some has waited for 5 minutes, and for 5 minutes none
 * has left the queue. One recipient whose server puts us off for hours is not that, as long as others get their mail.
 */
export function watchForStuckMail({
  database,
  log,
  now,
  onChange = () => {},
}: {
  database: Database
  log: Log
  now: () => number
  /** Undefined: mail flows again. */
  onChange?: ((stuck: StuckMail | undefined) => void) | undefined
}): StuckMailWatch {
  let left = 0
  let movedAt = now()
  let stuckSince: number | undefined

  async function look(): Promise<void> {
    const queue = await readQueue(database)
    const leftNow = queue.newest - queue.unsent
    if (leftNow > left || queue.unsent === 0) movedAt = now()
    left = leftNow
    const since = Math.max(queue.oldest ?? Infinity, movedAt)
    if (now() - since >= stuckAfterMs) sayStuck(queue, since)
    else if (stuckSince !== undefined) sayFlowing(queue)
  }

  function sayStuck({ unsent, lastFault }: Queue, since: number): void {
    if (stuckSince !== undefined) return
    stuckSince = since
    const why = lastFault ?? 'none was tried: the ceiling of the site is reached, or nothing sends'
    log.error('mail has been stuck for 5 minutes: none went out', { unsent, why })
    onChange({ since, why })
  }

  function sayFlowing({ unsent }: Queue): void {
    const minutes = Math.round((now() - stuckSince!) / 60_000)
    stuckSince = undefined
    log.warn('mail flows again', { afterMinutes: minutes, unsent })
    onChange(undefined)
  }

  const looking = setInterval(() => {
    look().catch((cause: unknown) => log.error('cannot see whether mail is stuck', { cause }))
  }, lookEveryMs)
  looking.unref()
  return { look, stop: () => clearInterval(looking) }
}

interface Queue {
  unsent: number
  /** When the oldest unsent was queued. */
  oldest: number | null
  /** Grows by one with each delivery, so that this less `unsent` tells how many have left the queue. */
  newest: number
  /** Of the one queued first that has one. */
  lastFault: string | null
}

async function readQueue({ query }: Database): Promise<Queue> {
  const { rows } = await sql<Queue>`
    select count(*) as "unsent", min(queued_at) as "oldest",
      coalesce((select max(id) from deliveries), 0) as "newest",
      (select last_fault from deliveries where state in ('queued', 'sending') and last_fault is not null
        order by due_at limit 1) as "lastFault"
    from deliveries where state in ('queued', 'sending')`.execute(query)
  return rows[0]!
}
