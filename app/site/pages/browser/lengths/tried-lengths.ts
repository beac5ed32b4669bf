import type { Lengths } from '#site/chart/sample-run.ts'

/** The lengths that a visitor chose under the chart, for the personal page in the same tab. */
const name = 'lengths'

export function keepLengths({ fast, slow }: Lengths): void {
  try {
    sessionStorage.setItem(name, `${fast} ${slow}`)
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
