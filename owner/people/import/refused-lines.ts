import { setImmediate as nextTurn } from 'node:timers/promises'
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
  const groups = new Map<string, RefusalGroup>()
  for (const line of refused) {
    const { reason } = line
    const group = groups.get(reason) ?? { reason, count: 0, examples: [] }
    if (group.count < shownExamples) group.examples.push(line)
    group.count += 1
    groups.set(reason, group)
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count)
}

const pieceLines = 500

/**
 * All of them, as a CSV file that is safe to open in a spreadsheet. Other work of the server goes
 * on between its pieces.
 */
export async function* refusedLinesFile(refused: readonly RefusedLine[]): AsyncGenerator<string> {
  yield csv([['line', 'why']])
  for (let start = 0; start < refused.length; start += pieceLines) {
    yield csv(refused.slice(start, start + pieceLines).map(({ line, why }) => [line, why]))
    await nextTurn()
  }
}

function csv(records: unknown[][]): string {
  return stringify(records, { record_delimiter: 'windows', escape_formulas: true })
}
