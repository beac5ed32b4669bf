import { sql } from 'kysely'
import { answerInTime } from '../database/answer-in-time.ts'
import { isMigrated } from '../database/migrate.ts'
import type { Database } from '../database/open-database.ts'
import type { Answer } from './answer.ts'
import type { Counts } from '../statistics/counts.ts'

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** The process answers. */
export function answerAlive(): Answer {
  return { status: 200, headers: plain, body: 'ok\n' }
}

/** The database answers and nothing is missing in it: traffic may come. */
export async function answerReady(database: Database): Promise<Answer> {
  try {
    if (await answerInTime(isMigrated(database))) return { status: 200, headers: plain, body: 'ready\n' }
    return { status: 503, headers: plain, body: 'migrations are missing\n' }
  } catch {
    return { status: 503, headers: plain, body: 'the database does not answer\n' }
  }
}

/** Prometheus' text format, for the holder of METRICS_TOKEN. */
export async function answerMetrics(database: Database, counts: Counts, now: number): Promise<Answer> {
  const { rows } = await sql<{ unsent: number; oldest: number | null; subscribers: number }>`
    select (select count(*) from deliveries where state in ('queued', 'sending')) as unsent,
      (select min(queued_at) from deliveries where state in ('queued', 'sending')) as oldest,
      (select count(*) from subscribers where state = 'active') as subscribers`.execute(database.query)
  const { unsent = 0, oldest = null, subscribers = 0 } = rows[0] ?? {}
  const gauges = {
    deliveries_unsent: unsent,
    deliveries_oldest_unsent_seconds: oldest === null ? 0 : Math.max(0, (now - oldest) / 1000),
    subscribers_active: subscribers,
  }
  const headers = { ...plain, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
  return { status: 200, headers, body: counts.metricsText(gauges) }
}
