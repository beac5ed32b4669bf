import { sql } from 'kysely'
import type { Connection } from '#server/database/database.ts'
import { firstAllowance } from './announcements.ts'

const hourMs = 60 * 60_000
const points = 60
const leastStepMs = 60_000
/** The share that came back is one of as many mails. */
const judgedMails = 500

/** The course of an announcement. Times are ms since 1970. */
export interface AnnouncementFigures {
  /** `allowed`: of an hour before a pause, at least what was sent. */
  byHour: { at: number; sent: number; allowed: number }[]
  /** The number returned of the last 500 mails, or a few more, at some 60 moments. */
  returned: { at: number; returned: number; of: number }[]
  /** Reasons of failed mails, the most frequent first. */
  faults: { fault: string; count: number }[]
}

export async function readAnnouncementFigures(
  connection: Connection,
  version: string,
  now: number,
): Promise<AnnouncementFigures> {
  const announcement = await connection
    .selectFrom('announcements')
    .selectAll()
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  const { id, started_at, per_hour, allowance } = announcement
  const steps = await countSteps(connection, id, started_at, now)
  const hours = Map.groupBy(steps, ({ at }) => Math.floor((at - started_at - 1) / hourMs))
  const newest = Math.max(-1, ...hours.keys())
  // It doubles from hour to hour. A pause may have begun it again since.
  const allowedIn = (hour: number) => per_hour ?? Math.max(firstAllowance, allowance / 2 ** (newest - hour))
  const sentIn = (hour: number) => (hours.get(hour) ?? []).reduce((sum, { sent }) => sum + sent, 0)
  return {
    byHour: Array.from({ length: newest + 1 }, (_, hour) => ({
      at: started_at + hour * hourMs,
      sent: sentIn(hour),
      allowed: Math.max(sentIn(hour), allowedIn(hour)),
    })),
    returned: steps.map(({ at }, index) => ({ at, ...lastMails(steps.slice(0, index + 1)) })),
    faults: await countFaults(connection, id),
  }
}

interface Step {
  /** Its end. */
  at: number
  sent: number
  judged: number
  returned: number
}

/** By parts of the time, and never across the hours that are counted apart. */
async function countSteps(connection: Connection, id: number, from: number, now: number): Promise<Step[]> {
  const hours = Math.max(1, Math.ceil((now - from) / hourMs))
  const stepMs = Math.max(leastStepMs, hourMs / Math.max(1, Math.floor(points / hours)))
  const { rows } = await sql<Omit<Step, 'at'> & { step: number }>`
    select cast((finished_at - ${from}) / ${stepMs} as bigint) as step, count(*) as judged,
      count(*) filter (where d.state = 'sent') as sent,
      count(*) filter (where d.state = 'failed' or s.state = 'undeliverable') as returned
    from deliveries d join subscribers s on s.id = d.subscriber
    where d.announcement = ${id} and d.finished_at >= ${from} and d.state in ('sent', 'failed')
    group by step order by step`.execute(connection)
  return rows.map(({ step, ...counts }) => ({ ...counts, at: from + (step + 1) * stepMs }))
}

function lastMails(steps: readonly Step[]): { returned: number; of: number } {
  const sum = { returned: 0, of: 0 }
  for (const { judged, returned } of steps.toReversed()) {
    if (sum.of >= judgedMails) break
    sum.of += judged
    sum.returned += returned
  }
  return sum
}

async function countFaults(connection: Connection, id: number) {
  const { rows } = await sql<{ fault: string; count: number }>`
    select last_fault as fault, count(*) as count from deliveries
    where announcement = ${id} and state = 'failed' and last_fault is not null
    group by last_fault order by count(*) desc limit 10`.execute(connection)
  return rows
}
