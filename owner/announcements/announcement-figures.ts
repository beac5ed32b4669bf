import { sql } from 'kysely'
import type { Connection } from '#server/database/database.ts'
import type { AnnouncementProgress } from './announcements.ts'
import { sampleSize } from './release-mail.ts'
import { firstAllowance } from './slow-start.ts'

const hourMs = 60 * 60_000
const points = 60
const minStepMs = 60_000

/** Returns how an announcement has gone so far. Times are ms since 1970. */
export async function readAnnouncementFigures(
  connection: Connection,
  { version, startedAt, perHour, allowance }: AnnouncementProgress,
  now: number,
) {
  const { steps, faults } = await countSteps(connection, version, startedAt, now)
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
    /** How many of the last 500 mails, or a few more, were returned, at some 60 moments. */
    returned: steps.map(({ at }, index) => ({ at, ...lastMails(steps.slice(0, index + 1)) })),
    /** Reasons of failed mails, the most frequent first. */
    faults,
  }
}

interface Step {
  at: number
  sent: number
  finished: number
  returned: number
}

/** Counts finished mails in equal steps, none of which crosses an hour, and the reasons of failed ones. Reads each mail once. */
async function countSteps(connection: Connection, version: string, from: number, now: number) {
  const hours = Math.max(1, Math.ceil((now - from) / hourMs))
  const stepMs = Math.max(minStepMs, hourMs / Math.max(1, Math.floor(points / hours)))
  const { rows } = await sql<{ step: number; fault: string | null } & Omit<Step, 'at'>>`
    select cast((finished_at - ${from}) / ${stepMs} as bigint) as step,
      case when state = 'failed' then last_fault end as fault, count(*) as finished,
      count(*) filter (where state = 'sent') as sent,
      count(*) filter (where state = 'failed'
        or subscriber in (select id from subscribers where state = 'undeliverable')) as returned
    from deliveries where announcement = (select id from announcements where version = ${version})
      and finished_at >= ${from} and state in ('sent', 'failed')
    group by step, fault order by step`.execute(connection)
  const steps = Array.from(
    Map.groupBy(rows, ({ step }) => step),
    ([step, parts]): Step => {
      const total = (of: 'sent' | 'finished' | 'returned') => parts.reduce((sum, part) => sum + part[of], 0)
      const at = from + (step + 1) * stepMs
      return { at, sent: total('sent'), finished: total('finished'), returned: total('returned') }
    },
  )
  const counts = new Map<string, number>()
  for (const { fault, finished } of rows)
    if (fault !== null) counts.set(fault, (counts.get(fault) ?? 0) + finished)
  const faults = Array.from(counts, ([fault, count]) => ({ fault, count }))
  return { steps, faults: faults.toSorted((a, b) => b.count - a.count).slice(0, 10) }
}

function lastMails(steps: readonly Step[]): { returned: number; of: number } {
  const sum = { returned: 0, of: 0 }
  for (const { finished, returned } of steps.toReversed()) {
    if (sum.of >= sampleSize) break
    sum.of += finished
    sum.returned += returned
  }
  return sum
}
