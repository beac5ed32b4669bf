import sql, { join } from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Reader } from '#server/database/database.ts'
import { type DailyCount, dayOf } from '#server/statistics/daily-counts.ts'
import type { Days } from './summary.ts'

/** Sign-ups over time, a number for each bar, from the oldest. */
export interface Bars {
  unit: 'hours' | 'days'
  /** The number of hours or days that a bar spans. */
  span: number
  /** The beginning of each, in ms since 1970. A day is one of UTC. */
  starts: number[]
}

/** Sign-ups at a time, by form or by campaign. */
export interface TimedCount {
  /** Ms since 1970: the hour or the day that they are in. */
  at: number
  /** The name of the form, or of the campaign. */
  name: string
  count: number
}

export interface SignUpsInTime {
  /** Null until somebody signs up. */
  bars: Bars | null
  byForm: TimedCount[]
  byCampaign: TimedCount[]
}

const hourMs = 60 * 60_000
const daysByTheHour = 7
/** The most bars that have room for their numbers. */
const maxBars = 28
/** The numbers of hours or days that a bar may span. */
const spans = { hours: [1, 3, 6], days: [1, 7, 14] }

/** The day of the first sign-up, in ms since 1970. Undefined: there was none. */
export async function firstSignUpDay(reader: Reader): Promise<number | undefined> {
  const row = await reader.row<{ day: string }>(
    sql`select day from daily_counts where event = 'signed-up' order by day limit 1`,
  )
  return row && Date.parse(row.day)
}

/**
 * Counts by the hour in the week of the first sign-up, later by the day. `signUps`: the counts of
 * at least the period.
 */
export async function signUpsInTime(
  reader: Reader,
  signUps: readonly DailyCount[],
  { firstDay, period, now }: { firstDay: number | undefined; period: Days; now: number },
): Promise<SignUpsInTime> {
  if (firstDay === undefined) return { bars: null, byForm: [], byCampaign: [] }
  const today = Date.parse(dayOf(now))
  if (firstDay > today - daysByTheHour * dayMs) {
    const { byForm, byCampaign } = await readByHour(reader, firstDay)
    const first = Math.min(now, ...byForm.map(({ at }) => at))
    return { bars: barsBetween(first, now, 'hours'), byForm, byCampaign }
  }
  const bars = barsBetween(Math.max(firstDay, Date.parse(period.from)), today, 'days')
  return { bars, byForm: signUps.map(timedCount), byCampaign: await readByBar(reader, bars) }
}

/** The newest bar has the hour or the day of `last` at its end. */
function barsBetween(first: number, last: number, unit: Bars['unit']): Bars {
  const unitMs = unit === 'hours' ? hourMs : dayMs
  const end = Math.floor(last / unitMs) + 1
  const count = end - Math.floor(first / unitMs)
  const span = spans[unit].find((one) => count / one <= maxBars) ?? 14
  const length = Math.ceil(count / span)
  const starts = Array.from({ length }, (_, index) => (end - (length - index) * span) * unitMs)
  return { unit, span, starts }
}

/** The count in each bar. `name`: only those of this form or campaign. */
export function countInBars(
  bars: Bars | null,
  counts: readonly TimedCount[],
  name?: string,
): number[] {
  if (bars === null) return []
  const { unit, span, starts } = bars
  const barMs = span * (unit === 'hours' ? hourMs : dayMs)
  const inBars = starts.map(() => 0)
  for (const one of counts) {
    const bar = Math.floor((one.at - starts[0]!) / barMs)
    const isShown = bar >= 0 && bar < inBars.length && (name === undefined || one.name === name)
    if (isShown) inBars[bar]! += one.count
  }
  return inBars
}

function timedCount({ day, detail, count }: DailyCount): TimedCount {
  return { at: Date.parse(day), name: detail, count }
}

/** A year has a row for each day and campaign: the server would hold up visitors to add them up. */
function readByBar(reader: Reader, { span, starts }: Bars): Promise<TimedCount[]> {
  const barMs = span * dayMs
  const bars = starts.map(
    (start) => sql`(cast(${start} as bigint), ${dayOf(start)}, ${dayOf(start + barMs)})`,
  )
  return reader.rows<TimedCount>(sql`
    with bars (at, from_day, to_day) as (values ${join(bars)})
    select at, detail as name, cast(sum(count) as bigint) as count
    from bars join daily_counts on day >= from_day and day < to_day
    where event = 'came-from' group by at, detail`)
}

/** Nobody counts hours: they are read from the list, which is short in its first week. */
async function readByHour(
  reader: Reader,
  since: number,
): Promise<Pick<SignUpsInTime, 'byForm' | 'byCampaign'>> {
  const rows = await reader.rows<{ hour: number; form: string; campaign: string; count: number }>(
    sql`select signed_up_at / ${hourMs} as hour, form, coalesce(campaign, 'none') as campaign,
      count(*) as count
    from subscribers where signed_up_at >= ${since} and form is not null
    group by 1, form, campaign`,
  )
  const timed = (name: 'form' | 'campaign') =>
    rows.map((row) => ({ at: row.hour * hourMs, name: row[name], count: row.count }))
  return { byForm: timed('form'), byCampaign: timed('campaign') }
}
