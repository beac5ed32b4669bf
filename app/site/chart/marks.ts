import { filled, type Label, labels, looks, path } from './looks.ts'
import { exampleTrade, type SampleRun } from './sample-run.ts'
import { centre, crispY, left, plotHeight, type View } from './scale.ts'
import type { SvgElement } from './svg.ts'

/** The least distance of two names of a kind, so that neither covers the other on a phone. */
const roomOfName = 80
/** Half of its width on a phone, where letters are largest. */
const halfOfLetter = 5.25

/**
 * A strip above the time axis while a position is open; ▲ below the bar of an entry, ▼ above that
 * of an exit. No name begins left of `namesFrom`.
 */
export function tradesAndMarks(run: SampleRun, view: View, namesFrom = 0): SvgElement[] {
  const isShown = (bar: number) => bar >= view.first && bar <= view.last
  const right = left(view, view.last + 1)
  const entries: Label[] = []
  const exits: Label[] = []
  let up = ''
  let triangles = ''
  let down = ''
  for (const [index, { entryBar, exitBar = run.bars.length }] of run.trades.entries()) {
    const from = Math.max(0, centre(view, entryBar))
    const width = Math.min(right, centre(view, exitBar)) - from
    if (width > 0) up += `M${from} ${plotHeight - 5}h${width}v5h-${width}z`
    if (isShown(entryBar)) {
      const x = centre(view, entryBar)
      const y = crispY(Math.min(...pricesAround(run, entryBar, 'low'))) + 8
      triangles += `M${x} ${y}l6 10h-12z`
      entries.push({ x, y: y + 26.5, text: `Entry ${index + 1}` })
    }
    if (isShown(exitBar)) {
      const x = centre(view, exitBar)
      const y = crispY(Math.max(...pricesAround(run, exitBar, 'high'))) - 8
      down += `M${x} ${y}l6-10h-12z`
      exits.push({ x, y: y - 16, text: `Exit ${index + 1}` })
    }
  }
  const isWhole = ({ x, text }: Label) => x - text.length * halfOfLetter >= namesFrom
  const names = [...withRoom(entries), ...withRoom(exits)].filter(isWhole)
  return [
    path(filled('up'), up + triangles),
    path(filled('down'), down),
    ...labels(looks.mark, names),
  ]
}

/** Leaves out the names that would touch the one before them. */
function withRoom(names: readonly Label[]): Label[] {
  const kept: Label[] = []
  for (const name of names) {
    if (name.x - (kept.at(-1)?.x ?? -Infinity) >= roomOfName) kept.push(name)
  }
  return kept
}

/** A mark is wider than its bar, so it keeps clear of the lines at both neighbours too. */
function pricesAround({ bars, fast, slow }: SampleRun, bar: number, end: 'high' | 'low'): number[] {
  const averages = [fast, slow].flatMap((line) => line.slice(Math.max(0, bar - 1), bar + 2))
  return [...bars.slice(bar, bar + 1).map((each) => each[end]), ...averages]
}

/** The note above a losing trade, if there is one. */
export function falseSignalNote(
  words: readonly string[],
  run: SampleRun,
  view: View,
): SvgElement[] {
  const trade = exampleTrade(run)
  if (words.length === 0 || !trade?.isLoss || trade.entryBar < view.first) return []
  const x = centre(view, Math.round((trade.entryBar + trade.exitBar) / 2))
  const lines = words.map((text, line) => ({
    x: x - 62.5,
    y: 45 + 21 * line,
    text,
  }))
  // The line ends above the name of the exit.
  return [path(looks.leader, `M${x} 79v38`), ...labels(looks.note, lines)]
}
