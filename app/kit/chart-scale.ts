/** Chart units are pixels of the page at full size (design section 7). */
export const chartSize = {
  bars: 120,
  /** The last bar of the 404 page's chart. */
  stopBar: 100,
  barWidth: 11,
  plotHeight: 332,
  height: 364,
  axisWidth: 72,
  topPrice: 116,
  unitsPerPrice: 18.5,
}

/** Which bars a drawing shows, first and last included. */
export interface ChartView {
  readonly firstBar: number
  readonly lastBar: number
}

export function barLeft(view: ChartView, bar: number): number {
  return (bar - view.firstBar) * chartSize.barWidth
}

/** Where the wick stands; ends in .5, so a 1 px line is crisp. */
export function barCentre(view: ChartView, bar: number): number {
  return barLeft(view, bar) + chartSize.barWidth / 2
}

/** Every even price falls on a whole pixel shifted by half of one, where its grid line is. */
export function priceY(price: number): number {
  return (chartSize.topPrice - price) * chartSize.unitsPerPrice + 0.5
}

/** The nearest whole pixel shifted by half of one. */
export function crisp(y: number): number {
  return Math.round(y - 0.5) + 0.5
}

export function plotRight(view: ChartView): number {
  return barLeft(view, view.lastBar + 1)
}

/** A number as short as a path takes it: 0.5 as .5. */
export function short(value: number): string {
  return (Math.round(value * 10) / 10).toString().replace(/^(-?)0\./, '$1.')
}

/** Two numbers in a path; a minus sign separates by itself. */
export function pair(x: number, y: number): string {
  const second = short(y)
  return short(x) + (second.startsWith('-') ? '' : ' ') + second
}
