import type { Call } from './command.ts'
import { moment, oneOf, wholeNumber } from './read-words.ts'

type Options = Call['options']

/** What a list may be narrowed to, for a command's `options`. */
export const filterOptions = {
  state: { value: 'STATE', does: 'only those in this state' },
  since: { value: 'DATE', does: 'only from this day or time on, in UTC: 2026-11-21, 2026-11-21T09:30Z' },
  until: { value: 'DATE', does: 'only up to the end of this day, or up to this time' },
} as const

/** And how it is turned page by page. */
export const pageOptions = {
  limit: { value: 'N', does: 'how many at most, 50 unless told otherwise' },
  after: { value: 'CURSOR', does: 'the next page, as the end of the one before says' },
} as const

export function readFilter<State extends string>(options: Options, states: readonly State[]) {
  return {
    state: oneOf(options['state'], '--state', states),
    since: moment(options['since'], '--since', 'beginning'),
    until: moment(options['until'], '--until', 'end'),
  }
}

/**
 * The page asked for, of rows that `select` gives newest first, below a number where one is given. `hint`: how to get the
 * next page; empty on the last.
 */
export async function readPage<Row extends { id: number }>(
  options: Options,
  select: (limit: number, below?: number) => Promise<Row[]>,
) {
  const limit = wholeNumber(String(options['limit'] ?? 50), '--limit')
  const below = options['after'] === undefined ? undefined : wholeNumber(String(options['after']), '--after')
  // One more than is shown tells whether there are more.
  const found = await select(limit + 1, below)
  const rows = found.slice(0, limit)
  const hint = found.length > limit ? `There are more: the same again with --after ${rows.at(-1)!.id}\n` : ''
  return { rows, hint }
}
