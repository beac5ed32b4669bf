import { SegmentedControl } from '@mantine/core'
import { type Period, periods, type TodayState, usePeriod } from '../../api.ts'
import { counted, dayName, number, share } from '../../format.ts'
import { Section } from '../../parts/parts.tsx'
import { Plot } from '../../plots/plot.tsx'
import type { PlotProps } from '../../plots/charts.tsx'
import { nameOf, useChosen } from './sources.tsx'

type Source = TodayState['sources'][number]

/** Fewer days make no plot. */
const minDays = 7
const barsOfDays = 90

/** All sign-ups, or those of the chosen source. */
export function SignUps({ today }: { today: TodayState }) {
  const [chosen] = useChosen()
  const [days, setDays] = usePeriod()
  const { sources, period, before } = today
  const source = sources.find((one) => nameOf(one) === chosen)
  const firstDay = today.byDay.findIndex((count) => count > 0)
  const daysKnown = firstDay < 0 ? 0 : today.days.length - firstDay
  const count = counted(period.signUps, 'sign-up')
  const compared = compare(
    period.signUps,
    before.signUps,
    daysKnown > days ? periods[days] : undefined,
  )
  return (
    <Section
      heading={
        source
          ? `${number(source.signUps)} of ${count} came from: ${chosen}`
          : `${count} in ${periods[days]}`
      }
      note={
        source ? `${share(source.signUps, period.signUps)} of all in ${periods[days]}.` : compared
      }
      actions={
        <SegmentedControl
          aria-label="Period"
          value={`${days}`}
          data={Object.entries(periods).map(([value, label]) => ({
            value: value as `${Period}`,
            label,
          }))}
          onChange={(chosenDays) => setDays(Number(chosenDays) as Period)} // a key of the periods
        />
      }
    >
      {daysKnown < minDays ? (
        <p>{wordsFor(daysKnown)}</p>
      ) : (
        <Plot {...plotOf(today, source, Math.min(days, daysKnown))} />
      )}
    </Section>
  )
}

function wordsFor(daysKnown: number): string {
  if (daysKnown === 0) return 'A plot of sign-ups by day stands here once people sign up.'
  const left = counted(minDays - daysKnown, 'more day')
  return `The first sign-up was ${daysKnown === 1 ? 'today' : `${counted(daysKnown - 1, 'day')} ago`}. A plot by day stands here in ${left}.`
}

/** `period`: undefined if there are no figures of the time before. */
function compare(now: number, before: number, period: string | undefined): string {
  if (period === undefined) return 'There are no figures of the time before to compare it with.'
  if (now === before) return `As many as in the ${period} before.`
  const difference = `${number(Math.abs(now - before))} ${now < before ? 'fewer' : 'more'}`
  return `${difference} than in the ${period} before, which had ${number(before)}.`
}

/**
 * A bar a day; a bar a week if there are more than 90 `shown`. The averages know the days before,
 * too.
 */
function plotOf({ days, byDay, release }: TodayState, source: Source | undefined, shown: number) {
  const size = shown > barsOfDays ? 7 : 1
  const unit = size === 7 ? 'week' : 'day'
  const bars = Math.ceil(shown / size)
  const last = <Entry,>(values: readonly Entry[]) => values.slice(-bars)
  const main = sumsOf(source ? source.byDay : byDay, size)
  const starts = last(groupsOf(days, size).map(([day = '']) => day))
  const cameOut = release && starts.findLast((one) => one <= release.date)
  const series: PlotProps['series'] = [
    ...(source ? [{ name: 'All', as: 'outline' as const, values: last(sumsOf(byDay, size)) }] : []),
    { name: source ? nameOf(source) : `Sign-ups a ${unit}`, as: 'bars', values: last(main) },
    { name: 'EMA 9 fast', as: 'fast', values: last(emaOf(main, 9)) },
    { name: 'EMA 21 slow', as: 'slow', values: last(emaOf(main, 21)) },
  ]
  return {
    name: `Sign-ups by ${unit}`,
    labels: starts.map(dayName),
    labelsColumn: size === 7 ? 'Week from' : 'Day',
    series,
    notes: cameOut ? [{ x: dayName(cameOut), label: `${release.version} came out` }] : [],
  }
}

/** Groups of `size` entries, counted from the end. */
function groupsOf<Entry>(list: readonly Entry[], size: number): Entry[][] {
  const starts = [...list.keys()].filter((index) => (list.length - index) % size === 0)
  return starts.map((start) => list.slice(start, start + size))
}

function sumsOf(values: readonly number[], size: number): number[] {
  return groupsOf(values, size).map((group) => group.reduce((total, value) => total + value, 0))
}

/** Exponential moving average, as in the script: it begins with the first value. */
function emaOf(values: readonly number[], length: number): number[] {
  const weight = 2 / (length + 1)
  let average = values[0] ?? 0
  return values.map((value) => (average += weight * (value - average)))
}
