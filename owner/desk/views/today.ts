import { statfs, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { releases } from '#content/releases.ts'
import type { Connection } from '#server/database/database.ts'
import { readBacklog } from '#server/deliveries/backlog.ts'
import { type DailyCount, dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { sqliteFile } from '../../command-line/owned-database.ts'
import { readMailFlow } from '../../deliveries/mail-flow.ts'
import { periodsOf } from '../../stats/statistics.ts'
import { type Days, daysEnding, everyDay, summarize } from '../../stats/summary.ts'
import { findInCounts } from '../../weekly-report/alarm-findings.ts'
import type { Routes } from '../call.ts'
import type { SignUpPlot, Today } from '../contract.ts'
import { describeTrouble } from './mail.ts'

/** A year, and the days that EMA 21 needs before it says something. */
const plotDays = 365 + 21
const campaignsShown = 5
const leastFreeBytes = 500_000_000

export const todayRoutes = {
  'GET today': {
    for: 'owner',
    async answer({ database: { engine, query }, config, now, fields }) {
      const at = now()
      const { period, before } = periodsOf(Number(fields.oneOf('days', ['7', '28', '90', '365'])), at)
      const answeredInMs = await timeAnswer(query)
      const days = daysEnding(dayOf(at), plotDays)
      const counts = await readDailyCounts(query, before.from < days.from ? before.from : days.from)
      const { waiting, lastSentAt, nextTryAt } = await readMailFlow(query, at)
      const { trouble, oldestQueuedAt } = await readBacklog(query, at)
      return {
        at,
        mail: { trouble: describeTrouble(trouble), lastSentAt },
        waiting: { count: waiting, oldestQueuedAt: oldestQueuedAt ?? null, nextTryAt },
        database: { engine, answeredInMs },
        disk: await readDisk(config.databaseUrl),
        alarms: findInCounts(counts, at),
        lastSignUpAt: await lastSignUpAt(query),
        announcement: null,
        period: summarize(counts, period),
        before: summarize(counts, before),
        plot: plotOf(counts, days, period),
      }
    },
  },
} satisfies Partial<Routes>

async function timeAnswer(connection: Connection): Promise<number> {
  const start = performance.now()
  await sql`select 1`.execute(connection)
  return performance.now() - start
}

/** Low: a backup, or the rewriting after an erasure, needs as much again as the database has. */
async function readDisk(databaseUrl: string): Promise<Today['disk']> {
  const file = sqliteFile(databaseUrl)
  if (file === undefined) return null
  const { bavail, bsize } = await statfs(dirname(file))
  const freeBytes = bavail * bsize
  return { freeBytes, isLow: freeBytes < Math.max(leastFreeBytes, 2 * (await stat(file)).size) }
}

async function lastSignUpAt(connection: Connection): Promise<number | null> {
  const newest = connection.selectFrom('subscribers').select('signed_up_at').orderBy('id', 'desc').limit(1)
  return (await newest.executeTakeFirst())?.signed_up_at ?? null
}

function plotOf(counts: readonly DailyCount[], days: Days, period: Days): SignUpPlot {
  const list = everyDay(days)
  const position = new Map(list.map((day, index) => [day, index]))
  const rows = new Map<string, SignUpPlot['rows'][number]>()
  const { bySource } = summarize(counts, period)
  const shown = new Set(
    bySource
      .filter(({ detail }) => detail !== 'other')
      .slice(0, campaignsShown)
      .map(({ detail }) => detail),
  )
  for (const { day, event, detail, count } of counts) {
    const index = position.get(day)
    if (index === undefined || (event !== 'signed-up' && event !== 'came-from')) continue
    const of = event === 'signed-up' ? 'form' : 'campaign'
    const name = of === 'form' || shown.has(detail) ? detail : 'other'
    const key = `${of} ${name}`
    const row = rows.get(key) ?? { of, name, inPeriod: 0, byDay: list.map(() => 0) }
    rows.set(key, row)
    row.byDay[index]! += count
    if (day >= period.from) row.inPeriod += count
  }
  const sorted = [...rows.values()].toSorted((a, b) => rank(a) - rank(b) || b.inPeriod - a.inPeriod)
  const forms = sorted.filter(({ of }) => of === 'form')
  return {
    days: list,
    all: list.map((_, index) => forms.reduce((sum, { byDay }) => sum + byDay[index]!, 0)),
    rows: sorted,
    releases: releases.map(({ version, date }) => ({ version, day: date })),
  }
}

/** Forms, then campaigns, then what is left of them. */
function rank({ of, name }: { of: string; name: string }): number {
  return of === 'form' ? 0 : name === 'other' ? 2 : 1
}
