import { sql } from 'kysely'
import type { Connection } from '#server/database/database.ts'
import { parkedUntil } from '#server/deliveries/lanes.ts'

/** Not the mail of an announcement whose hour has no room for it yet. */
const isWaiting = sql`state in ('queued', 'sending') and due_at < ${sql.lit(parkedUntil)}`
const stepMs = 5 * 60_000
const steps = 144
const failedMs = 7 * 24 * 60 * 60_000

interface DeliveryFigures {
  waiting: number
  failed: number
  nextTryAt: number | null
}

/** `failed`: in the last 7 days. Times are ms since 1970. */
export async function readDeliveryFigures(connection: Connection, now: number): Promise<DeliveryFigures> {
  const { rows } = await sql<DeliveryFigures>`
    select (select count(*) from deliveries where ${isWaiting}) as "waiting",
      (select min(due_at) from deliveries where ${isWaiting}) as "nextTryAt",
      count(*) as "failed" from deliveries where state = 'failed' and finished_at >= ${now - failedMs}`.execute(
    connection,
  )
  return rows[0]!
}

/**
 * When a mail was last sent. Reads the newest thousand alone: only a mail that was put off while as many newer ones went out
 * can have been sent later.
 */
export async function readLastSent(connection: Connection): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select max(finished_at) as at from (
      select finished_at from deliveries where state = 'sent' order by id desc limit 1000
    ) as newest`.execute(connection)
  return rows[0]!.at
}

/** Mails waiting at the end of each 5 minutes of the last 12 hours. The last entry is now. */
export async function countWaitingByFiveMinutes(connection: Connection, waiting: number, now: number) {
  const start = now - steps * stepMs
  const stepOf = (time: string) => sql`cast((${sql.ref(time)} - ${start}) / ${stepMs} as bigint)`
  const { rows } = await sql<{ came: number | null; went: number | null; count: number }>`
    select case when queued_at > ${start} and due_at < ${parkedUntil} then ${stepOf('queued_at')} end as came,
      case when finished_at > ${start} and state in ('sent', 'failed', 'cancelled')
        then ${stepOf('finished_at')} end as went,
      count(*) as count
    from deliveries where queued_at > ${start} or finished_at > ${start} group by came, went`.execute(
    connection,
  )
  const changes = new Map<number | null, number>()
  for (const row of rows) {
    changes.set(row.came, (changes.get(row.came) ?? 0) + row.count)
    changes.set(row.went, (changes.get(row.went) ?? 0) - row.count)
  }
  const counts: { at: number; count: number }[] = []
  let count = waiting
  for (let step = steps - 1; step >= 0; step -= 1) {
    counts.push({ at: start + (step + 1) * stepMs, count: Math.max(0, count) })
    count -= changes.get(step) ?? 0
  }
  return counts.toReversed()
}

/** Counts waiting mail by its last fault, the most frequent first. `fault` is null before the first try. `oneId`: one of these deliveries. */
export async function countWaitingByFault(connection: Connection) {
  const { rows } = await sql<{ fault: string | null; count: number; oneId: number }>`
    select last_fault as "fault", count(*) as "count", min(id) as "oneId" from deliveries
    where ${isWaiting} group by last_fault order by count(*) desc limit 20`.execute(connection)
  return rows
}
