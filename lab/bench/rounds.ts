import { median } from '#rigs/load.ts'
import type { Goal, Row } from './report.ts'

/**
 * Runs each in turn, round after round, so that other load on the machine affects all of them equally. Each round begins
 * with a different one, so that after-effects are shared as well.
 */
export async function takeRounds<Name extends string, Result>(
  rounds: number,
  runs: Record<Name, () => Promise<Result>>,
  progress: (line: string) => void = () => {},
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(runs) as Name[] // the record has exactly these keys
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      results[name].push(await runs[name]())
      progress(`round ${round + 1} of ${rounds}: ${name}`)
    }
  }
  return results
}

export function medianOf<Result>(results: readonly Result[], figure: (result: Result) => number): number {
  return median(results.map(figure))
}

/**
 * One figure of ours beside the same figure of another: the medians, and the median of the ratios within each round, so that
 * a slow minute of the machine counts on both sides.
 */
export function compare<Result>(
  what: string,
  ours: readonly Result[],
  [name, others]: [name: string, others: readonly Result[]],
  { figure, show }: { figure: (result: Result) => number; show: (median: number) => string },
  goal?: Goal,
): Row {
  return {
    what,
    ours: show(medianOf(ours, figure)),
    other: `${name} ${show(medianOf(others, figure))}`,
    ratio: median(ours.map((one, round) => figure(one) / figure(others[round]!))),
    ...(goal && { goal }),
  }
}

/** One figure of ours alone. */
export function measured(what: string, figure: number, show: (figure: number) => string, goal?: Goal): Row {
  return { what, ours: show(figure), figure, ...(goal && { goal }) }
}

/** The memory of one process, early and late in its work. */
export function memoryGrowth(
  [lateWhen, lateMb]: [when: string, megabytes: number],
  [earlyWhen, earlyMb]: [when: string, megabytes: number],
): Row {
  const [ours, other] = [inMb(lateMb), `${earlyWhen}: ${inMb(earlyMb)}`]
  return { what: `memory ${lateWhen}`, ours, other, ratio: lateMb / earlyMb, goal: { max: 1.25 } }
}

export const inMs = (ms: number) => `${ms.toFixed(0)} ms`
export const inMb = (megabytes: number) => `${megabytes.toFixed(0)} MB`

/** Throughput of a run, in words such as `12,345/s`. */
export const perSecond = {
  figure: (one: { perSecond: number }) => one.perSecond,
  show: (rate: number) => `${Math.round(rate).toLocaleString('en')}/s`,
}
/** The latency that 99 of 100 answers stay below. */
export const p99 = {
  figure: (one: { p99Ms: number }) => one.p99Ms,
  show: (ms: number) => `${ms.toFixed(1)} ms`,
}
