import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Reader } from '#server/database/database.ts'
import { type DailyCount, dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { readUnderWay } from '#owner/mailings/list-mailings.ts'
import { readRelay } from '#server/deliveries/mail-state.ts'
import { checkUpOf } from '#owner/conditions/check-up.ts'
import { listConditions } from '#owner/conditions/list-conditions.ts'
import { sourcesOf } from './sources.ts'
import { periodsOf, readTotals } from './statistics.ts'
import { daysEnding, everyDay, sumOf, summarize } from './summary.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'

const plotDays = 365
const campaignsShown = 20

export const todayRouter = router({
  /** The state of the product. The desk reads it with every view, so it reads few rows. */
  state: ownerProcedure.query(async ({ ctx: { server } }) => {
    const { config, settings, site, database, now } = server
    const reads = database.ownerReads
    const at = now()
    const { state, startedAt, finishedAt } = checkUpOf(server)
    const [conditions, relay, newest, underWay] = await Promise.all([
      listConditions(server),
      readRelay(reads, at),
      reads.row<{ at: number | null }>(
        sql`select max(signed_up_at) as at from subscribers where form is not null`,
      ),
      readUnderWay(reads),
    ])
    return {
      at,
      /** As it is published. */
      name: site.current.content.brand.name,
      publicUrl: config.publicUrl,
      isHeldBack: settings.current.isHeldBack,
      /** The gravest first: Ready, Today and Check-up show parts of this list. */
      conditions,
      checkUp: { state, startedAt, finishedAt },
      lastSentAt: relay.lastHandOverAt ?? null,
      lastSignUpAt: newest?.at ?? null,
      letter: underWay ?? null,
    }
  }),
  /** The counts of some days, and those of a year for the plot. */
  figures: ownerProcedure
    .input(z.object({ days: z.literal([7, 28, 90, 365]) }))
    .query(async ({ ctx: { server }, input: { days } }) => ({
      pageUrl: server.config.publicUrl,
      /** The last release. Null: none is known. */
      release: server.site.current.releases[0] ?? null,
      ...(await readFigures(server.database.ownerReads, days, server.now())),
    })),
})

/** A campaign or a form, and what came of it. */
export interface SourceFigures {
  kind: 'campaign' | 'form'
  name: string
  /** Null: a form does not count it. */
  views: number | null
  signUps: number
  opened: number | null
  gotScript: number | null
  /** Sign-ups on each of the days. */
  byDay: number[]
}

/** Reads only the rows that are shown: a year of counts has tens of thousands. */
async function readFigures(reader: Reader, dayCount: number, at: number) {
  const { period, before } = periodsOf(dayCount, at)
  const plotted = daysEnding(dayOf(at), plotDays)
  const oldest = before.from < plotted.from ? before.from : plotted.from
  const [signUps, cameFrom, totals] = await Promise.all([
    readDailyCounts(reader, oldest, ['signed-up']),
    readDailyCounts(reader, plotted.from, ['came-from']),
    readTotals(reader, period),
  ])
  const summary = summarize([...totals, ...signUps], period)
  const days = everyDay(plotted)
  const campaigns = sourcesOf(totals, period)
    .slice(0, campaignsShown)
    .map(({ campaign, views, signUps: count, opened, gotScript }): SourceFigures => {
      const byDay = countByDay(days, cameFrom, campaign)
      return { kind: 'campaign', name: campaign, views, signUps: count, opened, gotScript, byDay }
    })
  const forms = summary.byForm.map(({ detail: name, count }): SourceFigures => {
    const byDay = countByDay(days, signUps, name)
    return { kind: 'form', name, views: null, signUps: count, opened: null, gotScript: null, byDay }
  })
  return {
    period: summary,
    before: { signUps: summarize(signUps, before).signUps },
    /** Every list of numbers has as many entries as `days`. */
    days,
    /** All sign-ups on each of the days. */
    byDay: countByDay(days, signUps),
    sources: [...campaigns, ...forms],
  }
}

/** `name`: only what is counted of it. */
function countByDay(
  days: readonly string[],
  counts: readonly DailyCount[],
  name?: string,
): number[] {
  const found = counts.filter(({ detail }) => name === undefined || detail === name)
  const byDay = Map.groupBy(found, ({ day }) => day)
  return days.map((day) => sumOf(byDay.get(day) ?? []))
}
