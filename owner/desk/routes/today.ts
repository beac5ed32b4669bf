import sql from 'sql-template-tag'
import { z } from 'zod'
import { releases } from '#content/releases.ts'
import type { Reader } from '#server/database/database.ts'
import { readMailState } from '#server/deliveries/mail-state.ts'
import { type DailyCount, dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { readDiskSpace } from '../../command-line/owned-database.ts'
import { sourcesOf } from '../../stats/sources.ts'
import { periodsOf, readTotals } from '../../stats/statistics.ts'
import { daysEnding, everyDay, sumOf, summarize } from '../../stats/summary.ts'
import { findInCounts } from '../../weekly-report/alarm-findings.ts'
import { ownerProcedure, router } from '../procedures.ts'
import { isUnderWay, listAll } from './announce.ts'
import { checkUp } from './check-up.ts'

/** A year, and the days that EMA 21 needs before its first value. */
const plotDays = 365 + 21
const sourcesShown = 20

export const todayRouter = router({
  show: ownerProcedure
    .input(z.object({ days: z.literal([7, 28, 90, 365]) }))
    .query(async ({ ctx: { server }, input: { days } }) => {
      const { config, database, now } = server
      const at = now()
      const start = performance.now()
      await database.row(sql`select 1`)
      const answeredInMs = performance.now() - start
      const [mail, figures, disk, newest, announcements] = await Promise.all([
        describeMailState(database, at),
        readFigures(database, days, at),
        readDiskSpace(config),
        database.row<{ at: number | null }>(
          sql`select max(signed_up_at) as at from subscribers where form is not null`,
        ),
        listAll(server),
      ])
      return {
        at,
        mail,
        wrongFindings: checkUp.findings.filter(({ state }) => state === 'wrong').length,
        database: { answeredInMs },
        disk,
        lastSignUpAt: newest?.at ?? null,
        announcement: announcements.find(isUnderWay) ?? null,
        pageUrl: config.publicUrl,
        ...figures,
      }
    }),
})

/**
 * `away`: the relay took no mail when it was last tried. `stuck`: none goes out. `late`: less goes
 * out than is queued.
 */
export async function describeMailState(reader: Reader, at: number) {
  const { waiting, lastHandOverAt, relayAway, trouble } = await readMailState(reader, at)
  const away = relayAway
    ? { kind: 'away' as const, since: relayAway.since, why: relayAway.why }
    : null
  return { waiting, lastSentAt: lastHandOverAt ?? null, trouble: trouble ?? away }
}

/** Reads only the rows that are shown: a year of counts has tens of thousands. */
async function readFigures(reader: Reader, number: number, at: number) {
  const { period, before } = periodsOf(number, at)
  const days = daysEnding(dayOf(at), plotDays)
  const oldest = before.from < days.from ? before.from : days.from
  const [signUps, cameFrom, totals, alarms] = await Promise.all([
    readDailyCounts(reader, oldest, ['signed-up']),
    readDailyCounts(reader, days.from, ['came-from']),
    readTotals(reader, period),
    findInCounts(reader, at),
  ])
  const summary = summarize([...totals, ...signUps], period)
  const list = everyDay(days)
  const byDay = (counts: readonly DailyCount[], name?: string) => {
    const found = counts.filter(({ detail }) => detail === (name ?? detail))
    const ofDay = Map.groupBy(found, ({ day }) => day)
    return list.map((day) => sumOf(ofDay.get(day) ?? []))
  }
  const campaigns = sourcesOf(totals, period).slice(0, sourcesShown)
  return {
    alarms,
    period: summary,
    before: { signUps: summarize(signUps, before).signUps },
    /** The last release. */
    release: releases[0],
    /** Sign-ups by day. Every list of numbers has as many entries as `days`. */
    days: list,
    byDay: byDay(signUps),
    sources: [
      ...campaigns.map(({ campaign: name, ...counts }) => {
        return { of: 'campaigns' as const, name, ...counts, byDay: byDay(cameFrom, name) }
      }),
      ...summary.byForm.map(({ detail: name, count }) => {
        const counts = { views: null, signUps: count, opened: null, taken: null }
        return { of: 'forms' as const, name, ...counts, byDay: byDay(signUps, name) }
      }),
    ],
  }
}
