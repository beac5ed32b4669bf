import { sql } from 'kysely'
import { releases } from '#content/releases.ts'
import type { Connection } from '#server/database/database.ts'
import { readBacklog } from '#server/deliveries/backlog.ts'
import {
  type CountedEvent,
  type DailyCount,
  dayOf,
  readDailyCounts,
} from '#server/statistics/daily-counts.ts'
import { sqliteFile } from '../../command-line/owned-database.ts'
import { readLastSent } from '../../deliveries/delivery-figures.ts'
import { readDiskSpace } from '../../doctor/database/disk-space.ts'
import { periodsOf, readTotals } from '../../stats/statistics.ts'
import { type Days, daysEnding, everyDay, summarize } from '../../stats/summary.ts'
import { findInCounts } from '../../weekly-report/alarm-findings.ts'
import { route } from '../call.ts'
import { oneOf } from '../fields.ts'
import { readUnderWay } from './announce.ts'
import { describeTrouble } from './mail.ts'

/** A year, and the days that EMA 21 needs before its first value. */
const plotDays = 365 + 21
const weekMs = 7 * 24 * 60 * 60_000
const campaignsShown = 5

export const todayRoutes = {
  'GET today': route({
    for: 'owner',
    sent: { days: oneOf<number>([7, 28, 90, 365]) },
    async answer(call, { days }) {
      const { config, now } = call
      const { query } = call.database
      const at = now()
      const file = sqliteFile(config.databaseUrl)
      const answeredInMs = await timeAnswer(query)
      const [lastSentAt, backlog, figures, disk, newest, announcement] = await Promise.all([
        readLastSent(query),
        readBacklog(query, at),
        readFigures(query, days, at),
        file === undefined ? null : readDiskSpace(file), // a PostgreSQL's is elsewhere
        lastSignUpAt(query),
        readUnderWay(call),
      ])
      return {
        at,
        mail: { trouble: describeTrouble(backlog.trouble), lastSentAt },
        waiting: { count: backlog.unsent },
        database: { answeredInMs },
        disk,
        lastSignUpAt: newest,
        announcement,
        ...figures,
      }
    },
  }),
}

/** Reads only the rows that are shown: a year of counts has tens of thousands. */
async function readFigures(connection: Connection, number: number, at: number) {
  const { period, before } = periodsOf(number, at)
  const days = daysEnding(dayOf(at), plotDays)
  const oldest = before.from < days.from ? before.from : days.from
  const [signUps, totals, lastDays] = await Promise.all([
    readDailyCounts(connection, oldest, { event: 'signed-up' }),
    readTotals(connection, period),
    readDailyCounts(connection, dayOf(at - weekMs)),
  ])
  const summary = summarize([...totals, ...signUps], period)
  const named = summary.bySource.filter(({ detail }) => detail !== 'other').slice(0, campaignsShown)
  const campaigns = named.map(({ detail }) => detail)
  const cameFrom = await readDailyCounts(connection, days.from, { event: 'came-from', details: campaigns })
  return {
    alarms: findInCounts([...signUps, ...lastDays.filter(({ event }) => event !== 'signed-up')], at),
    period: summary,
    before: { signUps: summarize(signUps, before).signUps },
    plot: plotOf([...signUps, ...cameFrom], days, period),
  }
}

async function timeAnswer(connection: Connection): Promise<number> {
  const start = performance.now()
  await sql`select 1`.execute(connection)
  return performance.now() - start
}

async function lastSignUpAt(connection: Connection): Promise<number | null> {
  const newest = connection.selectFrom('subscribers').select('signed_up_at').orderBy('id', 'desc').limit(1)
  return (await newest.executeTakeFirst())?.signed_up_at ?? null
}

/** Sign-ups by day. Every list of numbers has as many entries as `days`. `counts` has the campaigns that are shown. */
function plotOf(counts: readonly DailyCount[], days: Days, period: Days) {
  const list = everyDay(days)
  const position = new Map(list.map((day, index) => [day, index]))
  const rowOf = (of: 'form' | 'campaign', name: string, byDay: number[]) => {
    const inPeriod = byDay.slice(position.get(period.from)).reduce((sum, count) => sum + count, 0)
    return { of, name, inPeriod, byDay }
  }
  const rowsOf = (event: CountedEvent, of: 'form' | 'campaign') => {
    const found = counts.filter((one) => one.event === event && position.has(one.day))
    const rows = Array.from(
      Map.groupBy(found, ({ detail }) => detail),
      ([name, ofName]) => {
        const byDay = list.map(() => 0)
        for (const { day, count } of ofName) byDay[position.get(day)!]! += count
        return rowOf(of, name, byDay)
      },
    )
    return rows.toSorted((a, b) => b.inPeriod - a.inPeriod)
  }
  const [forms, campaigns] = [rowsOf('signed-up', 'form'), rowsOf('came-from', 'campaign')]
  const all = list.map((_, index) => forms.reduce((sum, { byDay }) => sum + byDay[index]!, 0))
  const others = all.map((count, index) => campaigns.reduce((rest, { byDay }) => rest - byDay[index]!, count))
  const other = rowOf('campaign', 'other', others)
  return {
    days: list,
    all,
    rows: [...forms, ...campaigns, ...(other.inPeriod > 0 ? [other] : [])],
    releases: releases.map(({ version, date }) => ({ version, day: date })),
  }
}
