import { useSyncExternalStore } from 'react'
import type { Today } from '../../contract.ts'
import { type Period, periods, usePeriod } from '../api.ts'
import { counted, dayName, number, share, spokenDayName } from '../format.ts'
import { Section, Switch } from '../parts.tsx'
import { Plot } from '../plot.tsx'

type Row = Today['plot']['rows'][number]
/** `row`: one form or campaign. Undefined: all. */
type SignUpsProps = { today: Today; row: Row | undefined }

export function SignUps({ today, row }: SignUpsProps) {
  const [days, setDays] = usePeriod()
  const { signUps } = today.period
  return (
    <Section
      heading={
        row
          ? `${number(row.inPeriod)} of ${number(signUps)} sign-ups came from ${nameOf(row)}`
          : `${counted(signUps, 'sign-up')} in ${periods[days]}`
      }
      note={
        row
          ? `${share(row.inPeriod, signUps)} of all in these ${periods[days]}.`
          : compare(signUps, today.before.signUps, periods[days])
      }
      actions={
        <Switch
          label="Period"
          value={days}
          options={Object.entries(periods) as [Period, string][]} // its keys
          onChoose={setDays}
        />
      }
      className="plot-part"
    >
      <SignUpPlot today={today} row={row} />
    </Section>
  )
}

function compare(now: number, before: number, period: string): string {
  if (now === before) return `As many as in the ${period} before.`
  const difference = `${number(Math.abs(now - before))} ${now < before ? 'fewer' : 'more'}`
  return `${difference} than the ${number(before)} in the ${period} before.`
}

/** A bar a day; a bar a week where the period has no room. */
function SignUpPlot({ today: { plot }, row }: SignUpsProps) {
  const [days] = usePeriod()
  const isWeekly = Number(days) > useBarsThatFit()
  const [size, unit] = isWeekly ? [7, 'week'] : [1, 'day']
  const all = sumsOf(plot.all, size)
  const part = row && sumsOf(row.byDay, size)
  const main = part ?? all
  const starts = groupsOf(plot.days, size).map(([day = '']) => day)
  const average = (as: 'fast' | 'slow', length: number) => ({
    as,
    name: `EMA ${length} ${as}`,
    column: `EMA ${length}`,
    values: emaOf(main, length),
  })
  return (
    <Plot
      name="Sign-ups"
      labels={starts.map(dayName)}
      labelsColumn={isWeekly ? 'Week from' : 'Day'}
      labelEvery={isWeekly ? 8 : 14}
      series={[
        {
          as: row ? 'outline' : 'bars',
          name: row ? 'all' : `sign-ups a ${unit}`,
          column: 'Sign-ups',
          values: all,
        },
        ...(row && part
          ? [{ as: 'bars' as const, name: `${nameOf(row)}, a ${unit}`, column: nameOf(row), values: part }]
          : []),
        average('fast', 9),
        average('slow', 21),
      ]}
      spoken={(index) => `${spokenDayName(starts[index] ?? '')}: ${counted(main[index] ?? 0, 'sign-up')}`}
      unit={unit}
      open={isWeekly ? 'this week so far' : 'today so far'}
      strip={{ bars: Math.ceil(Number(days) / size), name: `the ${periods[days]} counted below` }}
      notes={plot.releases.map(({ version, day }) => ({
        index: starts.findLastIndex((start) => start <= day),
        words: `${version} came out`,
      }))}
    />
  )
}

export const forms: Record<string, string> = {
  hero: 'Form at the top',
  closing: 'Form at the foot',
  program: 'By a program',
  unknown: 'Form not known',
}

export function nameOf({ of, name }: Row): string {
  if (of === 'form') return forms[name] ?? name
  return name === 'none' ? 'No campaign named' : name === 'other' ? 'All others' : name
}

/** Groups of `size` entries, counted from the end. */
function groupsOf<Entry>(list: readonly Entry[], size: number): Entry[][] {
  const rest = list.length % size
  return Array.from({ length: Math.floor(list.length / size) }, (_, index) =>
    list.slice(rest + index * size, rest + (index + 1) * size),
  )
}

function sumsOf(values: readonly number[], size: number): number[] {
  return groupsOf(values, size).map((group) => group.reduce((sum, value) => sum + value, 0))
}

/** Exponential moving average, as in the script: it begins with the first value. */
function emaOf(values: readonly number[], length: number): number[] {
  const weight = 2 / (length + 1)
  let average = values[0] ?? 0
  return values.map((value) => (average += weight * (value - average)))
}

/** By the width of the window: the sheet is 1440 px at most. */
function useBarsThatFit(): number {
  return useSyncExternalStore(listenToResize, () => Math.floor((Math.min(innerWidth, 1440) - 72) / 11))
}

function listenToResize(notify: () => void): () => void {
  addEventListener('resize', notify)
  return () => removeEventListener('resize', notify)
}
