import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Reader } from '#server/database/database.ts'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { readUnderWay } from '#owner/mailings/mailings.ts'
import { readRelay } from '#server/deliveries/mail-state.ts'
import { checkUpOf } from '#owner/conditions/check-up/check-up.ts'
import { listConditions } from '#owner/conditions/list-conditions.ts'
import { countInBars, firstSignUpDay, signUpsInTime, type SignUpsInTime } from './bars.ts'
import { type Source, sourcesOf } from './sources.ts'
import { periodsOf, readTotals } from './statistics.ts'
import { summarize, type Tally } from './summary.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'

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
  /** The counts of some days, and the bars of the plot. */
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
  /** Sign-ups in each of the bars. */
  inBars: number[]
}

/** Reads only the rows that are shown: a year of counts has tens of thousands. */
async function readFigures(reader: Reader, dayCount: number, at: number) {
  const { period, before } = periodsOf(dayCount, at)
  const [firstDay, signUps, totals] = await Promise.all([
    firstSignUpDay(reader),
    readDailyCounts(reader, before.from, ['signed-up']),
    readTotals(reader, period),
  ])
  const summary = summarize([...totals, ...signUps], period)
  const inTime = await signUpsInTime(reader, signUps, { firstDay, period, now: at })
  return {
    period: summary,
    before: {
      signUps: summarize(signUps, before).signUps,
      /** Nobody had signed up before the period. */
      isUnknown: firstDay === undefined || firstDay >= Date.parse(period.from),
    },
    /** Null until somebody signs up. Every list of numbers has as many entries as bars. */
    bars: inTime.bars,
    /** All sign-ups in each of the bars. */
    inBars: countInBars(inTime.bars, inTime.byForm),
    sources: [
      ...campaignFigures(sourcesOf(totals, period), inTime),
      ...formFigures(summary.byForm, inTime),
    ],
  }
}

function campaignFigures(
  sources: readonly Source[],
  { bars, byCampaign }: SignUpsInTime,
): SourceFigures[] {
  return sources.slice(0, campaignsShown).map(({ campaign: name, ...source }) => ({
    kind: 'campaign',
    name,
    views: source.views,
    signUps: source.signUps,
    opened: source.opened,
    gotScript: source.gotScript,
    inBars: countInBars(bars, byCampaign, name),
  }))
}

function formFigures(forms: readonly Tally[], { bars, byForm }: SignUpsInTime): SourceFigures[] {
  return forms.map(({ detail: name, count }) => ({
    kind: 'form',
    name,
    views: null,
    signUps: count,
    opened: null,
    gotScript: null,
    inBars: countInBars(bars, byForm, name),
  }))
}
