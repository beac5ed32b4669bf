import { sql } from 'kysely'
import type { Connection } from '#server/database/database.ts'
import { type AnnouncementProgress, firstAllowance } from './announcements.ts'
import { judgedMails } from './release-mail.ts'

const hourMs = 60 * 60_000
const points = 60
const leastStepMs = 60_000

/** The course of an announcement. Times are ms since 1970. */
export async function readAnnouncementFigures(
  connection: Connection,
  { version, startedAt, perHour, allowance }: AnnouncementProgress,
  now: number,
) {
  const steps = await countSteps(connection, version, startedAt, now)
  const hours = Map.groupBy(steps, ({ at }) => Math.floor((at - startedAt - 1) / hourMs))
  const newest = Math.max(-1, ...hours.keys())
  return {
    /** `allowed`: of an hour before a pause, at least what was sent. */
    byHour: Array.from({ length: newest + 1 }, (_, hour) => {
      const sent = (hours.get(hour) ?? []).reduce((sum, step) => sum + step.sent, 0)
      // It doubles from hour to hour. A pause may have begun it again since.
      const allowed = perHour ?? Math.max(firstAllowance, allowance / 2 ** (newest - hour))
      return { at: startedAt + hour * hourMs, sent, allowed: Math.max(sent, allowed) }
    }),
    /** The number returned of the last 500 mails, or a few more, at some 60 moments. */
    returned: steps.map(({ at }, index) => ({ at, ...lastMails(steps.slice(0, index + 1)) })),
    faults: await countFaults(connection, version),
  }
}

interface Step {
  step: number
  sent: number
  judged: number
  returned: number
}

/** By parts of the time, each with its end, and never across the hours that are counted apart. */
async function countSteps(connection: Connection, version: string, from: number, now: number) {
  const hours = Math.max(1, Math.ceil((now - from) / hourMs))
  const stepMs = Math.max(leastStepMs, hourMs / Math.max(1, Math.floor(points / hours)))
  const { rows } = await sql<Step>`
    select cast((finished_at - ${from}) / ${stepMs} as bigint) as step, count(*) as judged,
      count(*) filter (where d.state = 'sent') as sent,
      count(*) filter (where d.state = 'failed' or s.state = 'undeliverable') as returned
    from deliveries d join subscribers s on s.id = d.subscriber
    where ${isOf(version)} and d.finished_at >= ${from} and d.state in ('sent', 'failed')
    group by step order by step`.execute(connection)
  return rows.map((counts) => ({ ...counts, at: from + (counts.step + 1) * stepMs }))
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

/** Reasons of failed mails, the most frequent first. */
async function countFaults(connection: Connection, version: string) {
  const { rows } = await sql<{ fault: string; count: number }>`
    select last_fault as fault, count(*) as count from deliveries d
    where ${isOf(version)} and state = 'failed' and last_fault is not null
    group by last_fault order by count(*) desc limit 10`.execute(connection)
  return rows
}

function isOf(version: string) {
  return sql`d.announcement = (select id from announcements where version = ${version})`
}
