import { median } from '#rigs/http/load.ts'

/** One line of the table. `ours` and `other` say figure and unit. */
export interface Row {
  what: string
  ours: string
  other?: string
  /**
   * Compared with the goal: the ratio, which is the median over pairs of runs, or the figure
   * itself.
   */
  judged: number
  goal?: { max: number } | { min: number }
}

/** The meaning of a figure, and how it is shown. */
interface Figure<Result> {
  of: (result: Result) => number
  show: (median: number) => string
}

/**
 * Runs each in turn, round after round, so that other load on the machine affects all of them
 * equally. Each round begins with a different one, so that after-effects are shared as well.
 */
export async function takeRounds<Name extends string, Result>(
  rounds: number,
  runs: Record<Name, () => Promise<Result>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(runs) as Name[] // the record has exactly these keys
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Result[]
  >
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      process.stderr.write(`round ${round + 1} of ${rounds}: ${name}   \r`)
      results[name].push(await runs[name]())
    }
  }
  return results
}

/**
 * One figure of ours beside the same figure of another: the medians, and the median of the ratios
 * within each round, so that a slow minute of the machine counts on both sides.
 */
export function compare<Result>(
  what: string,
  { of, show }: Figure<Result>,
  ours: readonly Result[],
  [name, others]: [name: string, others: readonly Result[]],
  goal?: Row['goal'],
): Row {
  return {
    what,
    ours: show(median(ours.map(of))),
    other: `${name} ${show(median(others.map(of)))}`,
    judged: median(ours.map((one, round) => of(one) / of(others[round]!))),
    ...(goal && { goal }),
  }
}

/** One figure of ours alone. */
export function measured(
  what: string,
  figure: number,
  show: (figure: number) => string,
  goal?: Row['goal'],
): Row {
  return { what, ours: show(figure), judged: figure, ...(goal && { goal }) }
}

export const inMs = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
export const inMb = (megabytes: number) => `${megabytes.toFixed(0)} MB`

/** Throughput of a run, in words such as `12,345/s`. */
export const perSecond: Figure<{ perSecond: number }> = {
  of: (one) => one.perSecond,
  show: (rate) => `${Math.round(rate).toLocaleString('en')}/s`,
}
/** The latency that 99 of 100 answers stay below. */
export const p99: Figure<{ p99Ms: number }> = { of: (one) => one.p99Ms, show: inMs }

/** Lines of a table in Markdown. */
export function rowsAsText(part: string, rows: readonly Row[]): string[] {
  return rows.map(({ what, ours, other = '', judged, goal }) => {
    const shown = [part, what, ours, other, judged.toFixed(2)]
    if (!goal) return `| ${shown.join(' | ')} | | |`
    const [limit, isKept] =
      'max' in goal ? [`≤ ${goal.max}`, judged <= goal.max] : [`≥ ${goal.min}`, judged >= goal.min]
    return `| ${[...shown, limit, isKept ? 'kept' : 'MISSED'].join(' | ')} |`
  })
}
