import { statfs, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { releases } from '#content/releases.ts'
import type { Connection } from '#server/database/database.ts'
import { readBacklog } from '#server/deliveries/backlog.ts'
import { type DailyCount, dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { sqliteFile } from '../../command-line/owned-database.ts'
import { readDeliveryFigures } from '../../deliveries/delivery-figures.ts'
import { periodsOf, readTotals } from '../../stats/statistics.ts'
import { type Days, daysEnding, everyDay, summarize } from '../../stats/summary.ts'
import { findInCounts } from '../../weekly-report/alarm-findings.ts'
import type { Routes } from '../call.ts'
import type { SignUpPlot, Today } from '../contract.ts'
import { readUnderWay } from './announce.ts'
import { describeTrouble } from './mail.ts'

/** A year, and the days that EMA 21 needs before it says something. */
const plotDays = 365 + 21
const weekMs = 7 * 24 * 60 * 60_000
const campaignsShown = 5
const leastFreeBytes = 500_000_000

export const todayRoutes = {
  'GET today': {
    for: 'owner',
    async answer(call) {
      const { config, now, fields } = call
      const { engine, query } = call.database
      const at = now()
      // Read before any query begins: a fault in it would leave queries that nobody waits for.
      const days = Number(fields.oneOf('days', ['7', '28', '90', '365']))
      const answeredInMs = await timeAnswer(query)
      const [flow, backlog, figures] = await Promise.all([
        readDeliveryFigures(query, at),
        readBacklog(query, at),
        readFigures(query, days, at),
      ])
      const { waiting, lastSentAt, nextTryAt } = flow
      return {
        at,
        mail: { trouble: describeTrouble(backlog.trouble), lastSentAt },
        waiting: { count: waiting, oldestQueuedAt: backlog.oldestQueuedAt ?? null, nextTryAt },
        database: { engine, answeredInMs },
        disk: await readDisk(config.databaseUrl),
        lastSignUpAt: await lastSignUpAt(query),
        announcement: await readUnderWay(call),
        ...figures,
      }
    },
  },
} satisfies Partial<Routes>

/** Reads only the rows that are shown: a year of counts has tens of thousands. */
async function readFigures(connection: Connection, number: number, at: number) {
  const { period, before } = periodsOf(number, at)
  const days = daysEnding(dayOf(at), plotDays)
  const oldest = before.from < days.from ? before.from : days.from
  const signUps = await readDailyCounts(connection, oldest, { event: 'signed-up' })
  const summaryOf = async (of: Days) => summarize(await readTotals(connection, of, signUps), of)
  const summary = await summaryOf(period)
  const named = summary.bySource.filter(({ detail }) => detail !== 'other').slice(0, campaignsShown)
  const campaigns = named.map(({ detail }) => detail)
  const cameFrom = await readDailyCounts(connection, days.from, { event: 'came-from', details: campaigns })
  const lastDays = (await readDailyCounts(connection, dayOf(at - weekMs))).filter(
    ({ event }) => event !== 'signed-up',
  )
  return {
    alarms: findInCounts([...signUps, ...lastDays], at),
    period: summary,
    before: await summaryOf(before),
    plot: plotOf([...signUps, ...cameFrom], days, period),
  }
}

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
  const all = list.map(() => 0)
  for (const { day, event, detail: name, count } of counts) {
    const index = position.get(day)
    if (index === undefined) continue
    const of = event === 'signed-up' ? 'form' : 'campaign'
    const row = rows.get(`${of} ${name}`) ?? { of, name, inPeriod: 0, byDay: list.map(() => 0) }
    rows.set(`${of} ${name}`, row)
    row.byDay[index]! += count
    if (day >= period.from) row.inPeriod += count
    if (of === 'form') all[index]! += count
  }
  const bySize = [...rows.values()].toSorted((a, b) => b.inPeriod - a.inPeriod)
  const campaigns = bySize.filter(({ of }) => of === 'campaign')
  const others = all.map((count, index) => campaigns.reduce((rest, { byDay }) => rest - byDay[index]!, count))
  const inPeriod = others.slice(position.get(period.from)).reduce((sum, count) => sum + count, 0)
  const other: SignUpPlot['rows'] =
    inPeriod > 0 ? [{ of: 'campaign', name: 'other', inPeriod, byDay: others }] : []
  return {
    days: list,
    all,
    rows: [...bySize.filter(({ of }) => of === 'form'), ...campaigns, ...other],
    releases: releases.map(({ version, date }) => ({ version, day: date })),
  }
}
