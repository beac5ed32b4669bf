import { answerInTime } from '../database/faults.ts'
import { isMigrated } from '../database/open-database.ts'
import type { Database } from '../database/database.ts'
import { type Answer, textAnswer } from './answer.ts'
import { readBacklog } from '../deliveries/backlog.ts'
import { countSubscribers } from '../subscribers/subscribers.ts'
import type { Counts } from '../statistics/counts.ts'

/** The database answers, and every migration is applied. */
export async function answerReady(database: Database): Promise<Answer> {
  try {
    const isReady = await answerInTime(isMigrated(database))
    return isReady ? textAnswer(200, 'ready') : textAnswer(503, 'migrations are missing')
  } catch {
    return textAnswer(503, 'the database does not answer')
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
  const contentType = 'text/plain; version=0.0.4; charset=utf-8'
  return textAnswer(200, counts.metricsText(gauges).trimEnd(), { 'content-type': contentType })
}
