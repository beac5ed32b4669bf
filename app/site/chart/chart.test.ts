import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runSample, shippedScript } from '#lab/pine/pine-runner.ts'
import { drawChart } from './chart.ts'

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
  expect(svg).toMatch(
    /^<svg class="chart" role="img" [^>]+><title>[^<]+<\/title><desc>[^<]+<\/desc>/,
  )
  expect(svg).toContain('Trade 2: entry at 107.09, exit at 105.97, a loss.')
})

test('the chart is small enough for the first paint, and takes its colours from the page', () => {
  expect(gzipSync(svg, { level: 9 }).length).toBeLessThan(2300)
  for (const [, colour] of svg.matchAll(/(?:fill|stroke)="([^"]*)"/g)) {
    expect(colour).toMatch(/^var\(--|^none$/)
  }
})

function pathOf(chart: string, role: string): string {
  return new RegExp(`<path class="c-${role}"[^>]* d="([^"]*)"`).exec(chart)?.[1] ?? ''
}
