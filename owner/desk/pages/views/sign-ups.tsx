import { useSyncExternalStore } from 'react'
import { deskText } from '#content/desk.ts'
import type { Today } from '../../contract.ts'
import { dayName, number, share, spokenDayName } from '../format.ts'
import { usePeriod } from '../frame.tsx'
import { Section, Switch } from '../parts.tsx'
import { emaOf, Key, Plot } from '../plot.tsx'

const words = deskText.today
const plotWords = words.plot
type Period = keyof typeof words.periods

interface SignUpsProps {
  today: Today
  /** One form or campaign; undefined: all. */
  row: Today['plot']['rows'][number] | undefined
  rowName: string | undefined
}

export function SignUps({ today, row, rowName }: SignUpsProps) {
  const [days, setDays] = usePeriod()
  const [heading, note] = row
    ? partHeading(today, row.inPeriod, rowName ?? '', days)
    : allHeading(today, days)
  const switcher = (
    <Switch
      name={words.periodsName}
      choices={([7, 28, 90, 365] as const).map((id) => ({ id: String(id), words: words.periods[id] }))}
      chosen={String(days)}
      onChoose={(id) => setDays(Number(id) as Period)} // one of its keys
    />
  )
  return (
    <Section heading={heading} note={note} actions={switcher} className="plot-part">
      <SignUpPlot today={today} row={row} rowName={rowName} />
    </Section>
  )
}

function allHeading({ period, before }: Today, days: Period): [string, string] {
  const [name, change] = [words.periods[days], period.signUps - before.signUps]
  const signUps = `${number(period.signUps)} ${words.signUpsOf(period.signUps)}`
  const compared = change < 0 ? words.fewer : words.more
  return [
    words.signUps(signUps, name),
    change === 0 ? words.same(name) : compared(number(Math.abs(change)), number(before.signUps), name),
  ]
}

function partHeading({ period }: Today, part: number, name: string, days: Period): [string, string] {
  return [
    words.cameFrom(number(part), number(period.signUps), name),
    words.shareOfAll(share(part, period.signUps), words.periods[days]),
  ]
}

/** A bar a day; a bar a week where the period has no room. */
function SignUpPlot({ today, row, rowName }: SignUpsProps) {
  const [days] = usePeriod()
  const fits = useBarsThatFit()
  const size = days > fits ? 7 : 1
  const unit = size === 7 ? 'week' : 'day'
  const { plot } = today
  const all = inGroups(plot.all, size)
  const part = row && inGroups(row.byDay, size)
  const starts = all.map(
    (_, index) => plot.days[Math.max(0, plot.days.length - (all.length - index) * size)] ?? '',
  )
  const main = part ?? all
  const [fast, slow] = [emaOf(main, 9), emaOf(main, 21)]
  const indexOf = (day: string) => starts.findLastIndex((start) => start <= day)
  const columns = [
    { heading: plotWords.columns[unit], cell: (index: number) => dayName(starts[index] ?? '') },
    { heading: plotWords.columns.all, cell: (index: number) => number(all[index] ?? 0) },
    ...(part ? [{ heading: rowName ?? '', cell: (index: number) => number(part[index] ?? 0) }] : []),
    { heading: plotWords.columns.fast, cell: (index: number) => (fast[index] ?? 0).toFixed(1) },
    { heading: plotWords.columns.slow, cell: (index: number) => (slow[index] ?? 0).toFixed(1) },
  ]
  return (
    <Plot
      name={plotWords.name}
      bars={all}
      part={part}
      lines={[
        { kind: 'slow', values: slow },
        { kind: 'fast', values: fast },
      ]}
      labels={starts.map(dayName)}
      spoken={(index) => {
        const count = main[index] ?? 0
        return plotWords.spoken(
          spokenDayName(starts[index] ?? ''),
          `${number(count)} ${words.signUpsOf(count)}`,
        )
      }}
      labelEvery={size === 7 ? 8 : 14}
      format={(value) => (Number.isInteger(value) ? number(value) : value.toFixed(1))}
      isLastOpen
      strip={Math.ceil(days / size)}
      notes={plot.releases.map(({ version, day }) => ({
        index: indexOf(day),
        words: plotWords.cameOut(version),
      }))}
      unit={plotWords.unit[unit]}
      columns={columns}
      legend={<Legend unit={unit} rowName={rowName} days={words.periods[days]} />}
    />
  )
}

function Legend({
  unit,
  rowName,
  days,
}: {
  unit: 'day' | 'week'
  rowName: string | undefined
  days: string
}) {
  return (
    <>
      <Key of="bars">{rowName === undefined ? plotWords.bars[unit] : plotWords.partBars[unit](rowName)}</Key>
      {rowName !== undefined && <Key of="outline">{plotWords.all}</Key>}
      <Key of="hollow">{plotWords.today[unit]}</Key>
      <Key of="fast">{plotWords.fast}</Key>
      <Key of="slow">{plotWords.slow}</Key>
      <Key of="strip">{plotWords.counted(days)}</Key>
    </>
  )
}

/** Sums of `size` entries, counted from the end. */
function inGroups(values: readonly number[], size: number): number[] {
  const rest = values.length % size
  const whole = rest === 0 ? values : values.slice(rest)
  return Array.from({ length: whole.length / size }, (_, index) =>
    whole.slice(index * size, (index + 1) * size).reduce((sum, value) => sum + value, 0),
  )
}

/** By the width of the window: the sheet is 1440 px at most. */
function useBarsThatFit(): number {
  return useSyncExternalStore(subscribeToResize, () => Math.floor((Math.min(innerWidth, 1440) - 72) / 11))
}

function subscribeToResize(note: () => void): () => void {
  addEventListener('resize', note)
  return () => removeEventListener('resize', note)
}
