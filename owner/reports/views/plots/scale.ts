export interface Scale {
  /** `logarithmic`: a value far above the others leaves them room. */
  kind: 'linear' | 'logarithmic'
  /** From 0. The last is at or above the highest value. */
  ticks: number[]
}

/** A value that is so many times the median would press the others flat. */
const spikeFactor = 8
const roundSteps = [1, 2, 5]

export function scaleFor(values: readonly number[]): Scale {
  const known = values.filter((value) => value > 0).toSorted((a, b) => a - b)
  const highest = known.at(-1) ?? 1
  const median = known[Math.floor(known.length / 2)] ?? 1
  if (highest < spikeFactor * median) return { kind: 'linear', ticks: evenTicks(highest) }
  return { kind: 'logarithmic', ticks: powerTicks(highest) }
}

/** A round step, at most four times. */
function evenTicks(highest: number): number[] {
  const step = roundUp(highest / 4)
  const count = Math.ceil(highest / step)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** Powers of ten, and a round value above the highest. */
function powerTicks(highest: number): number[] {
  const top = roundUp(highest)
  const powers = Array.from(
    { length: Math.floor(Math.log10(top)) },
    (_, index) => 10 ** (index + 1),
  )
  return [...new Set([0, ...powers, top])]
}

/** 1, 2 or 5 with zeros behind, at or above the value. */
function roundUp(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  const step = roundSteps.find((one) => one * magnitude >= value) ?? 10
  return step * magnitude
}
