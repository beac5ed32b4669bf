import { answerInTime } from '../database/faults.ts'
import { isMigrated } from '../database/migrate.ts'
import type { Database } from '../database/database.ts'
import type { Answer } from './answer.ts'
import { readBacklog } from '../deliveries/backlog.ts'
import { countSubscribers } from '../subscribers/subscribers.ts'
import type { Counts } from '../statistics/counts.ts'

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** The process is alive. */
export function answerAlive(): Answer {
  return { status: 200, headers: plain, body: 'ok\n' }
}

/** The database answers, and every migration is applied. */
export async function answerReady(database: Database): Promise<Answer> {
  try {
    if (await answerInTime(isMigrated(database))) return { status: 200, headers: plain, body: 'ready\n' }
    return { status: 503, headers: plain, body: 'migrations are missing\n' }
  } catch {
    return { status: 503, headers: plain, body: 'the database does not answer\n' }
  }
}

/** In Prometheus' text format. */
export async function answerMetrics(database: Database, counts: Counts, now: number): Promise<Answer> {
  const { unsent, oldestQueuedAt, overdueSince, trouble } = await readBacklog(database.query, now)
  const secondsSince = (at: number | undefined) => (at === undefined ? 0 : Math.max(0, (now - at) / 1000))
  const gauges = {
    deliveries_unsent: unsent,
    deliveries_oldest_unsent_seconds: secondsSince(oldestQueuedAt),
    deliveries_overdue_seconds: secondsSince(overdueSince),
    mail_stuck_seconds: secondsSince(trouble?.kind === 'stuck' ? trouble.since : undefined),
    mail_late_seconds: secondsSince(trouble?.kind === 'late' ? trouble.since : undefined),
    subscribers_active: (await countSubscribers(database.query)).active,
  }
  const headers = { ...plain, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
  return { status: 200, headers, body: counts.metricsText(gauges) }
}
