import { type Days, everyDay } from '#server/statistics/days.ts'
import { counted } from './in-words.ts'

/** What one bar of a chart stands for: one day, or several in a row. */
export interface Bar extends Days {
  count: number
}

const mostBars = 66
const daysInBarChoices = [1, 2, 7]
const namingSteps = [1, 2, 7, 14]
const mostNames = 5

/** Only the first bar may have fewer days than the others. */
export function barsOf(days: readonly { day: string; count: number }[]): Bar[] {
  const daysInBar =
    daysInBarChoices.find((size) => days.length / size <= mostBars) ?? Math.ceil(days.length / mostBars)
  const first = days.length % daysInBar || daysInBar
  const starts = [0]
  for (let start = first; start < days.length; start += daysInBar) starts.push(start)
  return starts.map((start, index) => {
    const inBar = days.slice(start, starts[index + 1])
    return {
      ...{ from: inBar.at(0)?.day ?? '', to: inBar.at(-1)?.day ?? '' },
      count: inBar.reduce((sum, { count }) => sum + count, 0),
    }
  })
}

/** Each how many bars one is named below, so that the names do not touch. */
export function namingStep(numberOfBars: number): number {
  return namingSteps.find((step) => numberOfBars / step <= mostNames) ?? Math.ceil(numberOfBars / mostNames)
}

export function isGrouped(bars: readonly Bar[]): boolean {
  return bars.some(({ from, to }) => from !== to)
}

/** "Each bar is 7 days, the first 2." */
export function aboutBars(bars: readonly Bar[]): string {
  const [first, last] = [bars.at(0), bars.at(-1)].map(daysIn)
  return `Each bar is ${counted(last!, 'day')}${first === last ? '' : `, the first ${first}`}.`
}

function daysIn(bar: Bar | undefined): number {
  return bar ? everyDay(bar).length : 0
}
