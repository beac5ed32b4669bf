import { SegmentedControl } from '@mantine/core'
import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import {
  counted,
  formatDay,
  formatDayAndTime,
  formatNumber,
  formatShare,
  formatTime,
  formatUtcDay,
} from '#owner/desk/views/format/format.ts'
import { type Period, periods } from '#owner/desk/views/format/periods.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { Plot, type PlotProps } from './plot.tsx'
import { type Source, sourceId, sourceName } from './sources.tsx'
import type { TodayChoices } from './today-choices.ts'

type Figures = RouterOutputs['today']['figures']
type Bars = NonNullable<Figures['bars']>

const dayMs = 24 * 60 * 60_000

interface SignUpsProps {
  figures: Figures
  choices: TodayChoices
  onDays: (days: Period) => void
}

/** All sign-ups, or those of the chosen source. */
export function SignUps({ figures, choices: { days, source: chosen }, onDays }: SignUpsProps) {
  const source = figures.sources.find((one) => sourceId(one) === chosen)
  const { bars, release } = figures
  return (
    <Section
      {...headFor(figures, source, days)}
      actions={
        bars?.unit === 'days' && (
          <SegmentedControl
            aria-label="Period"
            value={`${days}`}
            data={Object.entries(periods).map(([value, label]) => ({ value, label }))}
            onChange={(value) => onDays(Number(value) as Period)} // a key of the periods
          />
        )
      }
    >
      {bars ? (
        <Plot {...plotOf(figures, bars, source)} />
      ) : (
        <p>They appear here by the hour once people sign up.</p>
      )}
      {bars?.unit === 'days' && release && Date.parse(release.date) >= bars.starts[0]! && (
        <Soft>
          {release.version} came out on {formatUtcDay(release.date)}.
        </Soft>
      )}
    </Section>
  )
}

function headFor(figures: Figures, source: Source | undefined, days: Period) {
  const { period, before, bars } = figures
  const count = counted(period.signUps, 'sign-up')
  if (source) {
    return {
      heading: `${formatNumber(source.signUps)} of ${count} came from: ${sourceName(source)}`,
      note: `${formatShare(source.signUps, period.signUps)} of all in ${periods[days]}.`,
    }
  }
  if (bars === null) return { heading: 'No sign-ups yet' }
  if (bars.unit === 'hours') {
    return { heading: `${count} since ${formatDayAndTime(bars.starts[0]!)}` }
  }
  return {
    heading: `${count} in ${periods[days]}`,
    note: before.isUnknown
      ? 'There are no earlier figures to compare it with.'
      : compare(period.signUps, before.signUps, periods[days]),
  }
}

function compare(now: number, before: number, period: string): string {
  if (now === before) return `As many as in the ${period} before.`
  const difference = `${formatNumber(Math.abs(now - before))} ${now < before ? 'fewer' : 'more'}`
  return `${difference} than in the ${period} before, which had ${formatNumber(before)}.`
}

function plotOf(
  { inBars }: Figures,
  { unit, span, starts }: Bars,
  source: Source | undefined,
): PlotProps {
  const all = { name: `All ${perBar(unit, span)}`, values: inBars }
  return {
    name: unit === 'hours' ? 'Sign-ups by the hour' : 'Sign-ups by day',
    labels: starts.map((start) => labelOf(start, unit, span)),
    labelsColumn: unit === 'hours' ? 'Time' : 'Day',
    ...(source
      ? { series: { name: sourceName(source), values: source.inBars }, whole: all }
      : { series: { name: `Sign-ups ${perBar(unit, span)}`, values: inBars } }),
  }
}

function perBar(unit: Bars['unit'], span: number): string {
  const one = unit === 'hours' ? 'hour' : 'day'
  return span === 1 ? `${one === 'hour' ? 'an' : 'a'} ${one}` : `in ${span} ${unit}`
}

/** "20 Nov"; "17 Nov – 23 Nov"; "20 Nov, 14:00". */
function labelOf(start: number, unit: Bars['unit'], span: number): string {
  if (unit === 'hours') return `${formatDay(start)}, ${formatTime(start)}`
  const day = (at: number) => formatUtcDay(new Date(at).toISOString().slice(0, 10))
  return span === 1 ? day(start) : `${day(start)} – ${day(start + (span - 1) * dayMs)}`
}
