import type { Lengths } from '#site/chart/sample-run.ts'

/** The lengths that a visitor chose under the chart, for the personal page in the same tab. */
const name = 'lengths'

/** `lengths`: undefined for those of the script, which need no setting. */
export function keepLengths(lengths: Lengths | undefined): void {
  try {
    if (lengths) sessionStorage.setItem(name, `${lengths.fast} ${lengths.slow}`)
    else sessionStorage.removeItem(name)
  } catch {
    // Some browsers let no page keep anything.
  }
}

export function keptLengths(): Lengths | undefined {
  try {
    const [fast, slow] = sessionStorage.getItem(name)?.split(' ').map(Number) ?? []
    return fast && slow ? { fast, slow } : undefined
  } catch {
    return undefined
  }
}
