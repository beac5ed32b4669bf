import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runSample, shippedScript } from '#lab/pine/pine-runner.ts'
import { drawChart } from './chart.ts'
import { runScript, triedLengths } from './sample-run.ts'

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

test('whatever lengths are tried, no price tag and no name of a mark covers another', () => {
  const { least, most } = triedLengths
  for (let slow = least + 1; slow <= most; slow += 1) {
    for (let fast = least; fast < slow; fast += 1) {
      const chart = drawChart({}, runScript({ fast, slow }))
      const tags = [...chart.matchAll(/L1320 (-?[\d.]+)h72/g)].map(([, y]) => Number(y))
      expect(tags).toHaveLength(3)
      expect(nearest(tags), `${fast} and ${slow}`).toBeGreaterThanOrEqual(20)
      for (const kind of ['Entry', 'Exit']) {
        const names = chart.matchAll(new RegExp(`x="([\\d.]+)" y="[^"]*">${kind} `, 'g'))
        const places = Array.from(names, ([, x]) => Number(x))
        expect(nearest(places), `${fast} and ${slow}`).toBeGreaterThanOrEqual(80)
      }
    }
  }
})

test('where the chart is cut off, no name of a mark begins before it is whole', () => {
  const namesIn = (namesFrom: number) => drawChart({ namesFrom }).match(/(?:Entry|Exit) \d/g)
  expect(namesIn(0)).toEqual(['Entry 1', 'Entry 2', 'Entry 3', 'Exit 1', 'Exit 2', 'Exit 3'])
  expect(namesIn(837)).toEqual(['Entry 2', 'Entry 3', 'Exit 2', 'Exit 3'])
  expect(namesIn(838)).toEqual(['Entry 3', 'Exit 2', 'Exit 3'])
})

/** The smallest distance of two numbers that follow each other. */
function nearest(places: readonly number[]): number {
  return Math.min(...places.slice(1).map((place, index) => place - (places[index] ?? 0)))
}

function pathOf(chart: string, role: string): string {
  return new RegExp(`<path class="c-${role}"[^>]* d="([^"]*)"`).exec(chart)?.[1] ?? ''
}
