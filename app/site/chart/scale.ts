// Lengths are in chart units: 1 px on the page at full size, y downwards.
export const barWidth = 11
export const plotHeight = 332
const topPrice = 116
const unitsPerPrice = 18.5

/** The bars that are drawn, the first and the last included. */
export interface View {
  readonly first: number
  readonly last: number
}

export function left({ first }: View, bar: number): number {
  return (bar - first) * barWidth
}

/** The middle of a bar, where its wick stands. It ends in .5, so a 1 px line is crisp. */
export function centre(view: View, bar: number): number {
  return left(view, bar) + barWidth / 2
}

/** Every even price falls on a whole pixel shifted by half of one, where its grid line is. */
export function priceY(price: number): number {
  return (topPrice - price) * unitsPerPrice + 0.5
}

/** The nearest whole pixel shifted by half of one. */
export function crispY(price: number): number {
  return Math.round(priceY(price) - 0.5) + 0.5
}
