import { stringify } from 'csv-stringify/sync'
import type { RefusedLine } from './read-import.ts'

/** Lines that are refused for the same reason. */
export interface RefusalGroup {
  reason: string
  count: number
  /** The first three. */
  examples: RefusedLine[]
}

const shownExamples = 3

/** The most frequent reason first. */
export function groupRefusals(refused: readonly RefusedLine[]): RefusalGroup[] {
  const groups = Map.groupBy(refused, ({ reason }) => reason)
  return [...groups]
    .map(([reason, lines]) => ({
      reason,
      count: lines.length,
      examples: lines.slice(0, shownExamples),
    }))
    .toSorted((a, b) => b.count - a.count)
}

/** All of them, as a CSV file that is safe to open in a spreadsheet. */
export function refusedLinesFile(refused: readonly RefusedLine[]): string {
  return stringify([['line', 'why'], ...refused.map(({ line, why }) => [line, why])], {
    record_delimiter: 'windows',
    escape_formulas: true,
  })
}
