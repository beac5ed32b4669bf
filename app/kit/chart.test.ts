import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runSample, shippedScript } from '#lab/pine/pine-runner.ts'
import { chartStyle, drawChart } from './chart.ts'
import { sampleRun } from './sample-run.ts'

const svg = drawChart()

test('other lengths in the script make another chart', async () => {
  const longer = shippedScript()
    .replace('input.int(9,', 'input.int(12,')
    .replace('input.int(21,', 'input.int(26,')
  const chart = drawChart({}, await runSample(longer))
  expect(chart).toContain('EMA 12 crosses EMA 26 up')
  expect(chart).toContain('Trade 2: entry at 108.12, exit at 108.67.')
  expect(pathOf(chart, 'fast')).not.toBe(pathOf(svg, 'fast'))
  expect(chart).not.toContain('False signal')
})

test('the chart tells screen readers its trades, and which one is a loss', () => {
  expect(svg).toMatch(/^<svg class="chart" role="img" [^>]+><title>[^<]+<\/title><desc>[^<]+<\/desc>/)
  expect(svg).toContain('Trade 2: entry at 107.09, exit at 105.97, a loss.')
})

test('averages and candles are drawn to scale', () => {
  const { bars, fast, slow } = sampleRun()
  for (const [role, values] of Object.entries({ fast, slow })) {
    const points = pointsOfLine(pathOf(svg, role))
    expect(points).toHaveLength(values.length)
    for (const [bar, [x, y]] of points.entries()) {
      expect(x).toBe(5.5 + 11 * bar)
      expect(Math.abs(y - (116 - (values[bar] ?? 0)) * 18.5 - 0.5)).toBeLessThan(0.06)
    }
  }
  const rising = bars.filter(({ open, close }) => close >= open).length
  expect(pathOf(svg, 'hollow').match(/m/g)).toHaveLength(rising)
  expect(pathOf(svg, 'solid').match(/m/g)).toHaveLength(bars.length - rising)
})

test('the chart is small enough for the first paint, and takes its colours from the style sheet', () => {
  expect(gzipSync(svg, { level: 9 }).length).toBeLessThan(2300)
  expect(svg).not.toMatch(/style=|fill=|stroke=|#[0-9a-f]{3}/)
  for (const [, role] of svg.matchAll(/class="c-([\w-]+)"/g)) expect(chartStyle).toContain(`.c-${role}`)
})

function pathOf(chart: string, role: string): string {
  return new RegExp(`<path class="c-${role}"[^>]* d="([^"]*)"`).exec(chart)?.[1] ?? ''
}

function pointsOfLine(d: string): [number, number][] {
  const numbers = (d.match(/-?(?:\d*\.\d+|\d+)/g) ?? []).map(Number)
  let [x, y] = [0, 0]
  return Array.from({ length: numbers.length / 2 }, (_, point) => {
    x += numbers[2 * point] ?? 0
    y += numbers[2 * point + 1] ?? 0
    return [x, y]
  })
}
