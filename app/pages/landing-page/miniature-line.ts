import { sampleRun } from '#kit/crossover-run.ts'

export const miniatureBox = { width: 192, height: 100 }

const bars = { first: 71, last: 119, step: 3 }
const prices = { top: 114.6, bottom: 103 }

/** One average of the chart's last bars, coarse enough for a picture of a page. */
export function miniatureLine(average: 'fast' | 'slow'): string {
  const { width, height } = miniatureBox
  const { [average]: averages } = sampleRun()
  const shown = averages.slice(bars.first, bars.last + 1).filter((_, bar) => bar % bars.step === 0)
  const points = shown.map((price, point) => {
    const x = Math.round((point * width) / (shown.length - 1))
    return `${x} ${Math.round(((prices.top - price) * height) / (prices.top - prices.bottom))}`
  })
  return `M${points.join('L')}`
}
