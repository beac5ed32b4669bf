import { SegmentedControl } from '@mantine/core'
import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import {
  counted,
  formatNumber,
  formatShare,
  formatUtcDay,
} from '#owner/desk/views/format/format.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Plot, type PlotProps } from './plots/plot.tsx'
import { type Source, sourceId, sourceName } from './sources.tsx'
import { type Period, periods, type TodayChoices } from './today-choices.ts'

type Figures = RouterOutputs['today']['figures']

/** Fewer days make no plot. */
const minDays = 7

interface SignUpsProps {
  figures: Figures
  choices: TodayChoices
  onDays: (days: Period) => void
}

/** All sign-ups, or those of the chosen source. */
export function SignUps({ figures, choices: { days, source: chosen }, onDays }: SignUpsProps) {
  const source = figures.sources.find((one) => sourceId(one) === chosen)
  const daysKnown = countDaysKnown(figures)
  return (
    <Section
      {...headFor(figures, source, days)}
      actions={
        <SegmentedControl
          aria-label="Period"
          value={`${days}`}
          data={Object.entries(periods).map(([value, label]) => ({ value, label }))}
          onChange={(value) => onDays(Number(value) as Period)} // a key of the periods
        />
      }
    >
      {daysKnown < minDays ? (
        <p>{describeFirstDays(daysKnown)}</p>
      ) : (
        <Plot {...plotOf(figures, source, Math.min(days, daysKnown))} />
      )}
    </Section>
  )
}

function countDaysKnown({ byDay, days }: Figures): number {
  const firstDay = byDay.findIndex((signUps) => signUps > 0)
  return firstDay < 0 ? 0 : days.length - firstDay
}

function headFor(figures: Figures, source: Source | undefined, days: Period) {
  const { period, before } = figures
  const count = counted(period.signUps, 'sign-up')
  if (source) {
    return {
      heading: `${formatNumber(source.signUps)} of ${count} came from: ${sourceName(source)}`,
      note: `${formatShare(source.signUps, period.signUps)} of all in ${periods[days]}.`,
    }
  }
  const isComparable = countDaysKnown(figures) > days
  return {
    heading: `${count} in ${periods[days]}`,
    note: isComparable
      ? compare(period.signUps, before.signUps, periods[days])
      : 'There are no earlier figures to compare it with.',
  }
}

function compare(now: number, before: number, period: string): string {
  if (now === before) return `As many as in the ${period} before.`
  const difference = `${formatNumber(Math.abs(now - before))} ${now < before ? 'fewer' : 'more'}`
  return `${difference} than in the ${period} before, which had ${formatNumber(before)}.`
}

function describeFirstDays(daysKnown: number): string {
  if (daysKnown === 0) return 'Sign-ups by day appear here once people sign up.'
  const left = counted(minDays - daysKnown, 'more day')
  const first = daysKnown === 1 ? 'today' : `${counted(daysKnown - 1, 'day')} ago`
  return `The first sign-up was ${first}. The plot by day appears here in ${left}.`
}

/** A bar a day. */
function plotOf({ days, byDay, release }: Figures, source: Source | undefined, shown: number) {
  const shownDays = days.slice(-shown)
  const isReleaseShown = release !== null && shownDays.includes(release.date)
  const all = byDay.slice(-shown)
  const series: PlotProps['series'] = source
    ? [
        { name: 'All', look: 'outline', values: all },
        { name: sourceName(source), look: 'bars', values: source.byDay.slice(-shown) },
      ]
    : [{ name: 'Sign-ups a day', look: 'bars', values: all }]
  return {
    name: 'Sign-ups by day',
    labels: shownDays.map(formatUtcDay),
    labelsColumn: 'Day',
    series,
    notes: isReleaseShown
      ? [{ x: formatUtcDay(release.date), label: `${release.version} came out` }]
      : [],
  }
}
