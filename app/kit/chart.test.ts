import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { runPine } from '#lab/pine/pine-runner.ts'
import { chartStyle, customProperty } from './chart-paint.ts'
import { drawChart } from './chart.ts'
import { drawnBars, sampleRun, sampleSeries, warmUpBars } from './sample-run.ts'
import { shippedScript } from '#lab/pine/shipped-script.ts'

describe('the sample run', () => {
  test('equals the averages and fills of the shipped script on the sample series', async () => {
    const pine = await runPine(shippedScript(), sampleSeries(), { slippage: 0 })
    const run = sampleRun()
    for (const line of ['fast', 'slow'] as const) {
      expect(run[line]).toHaveLength(drawnBars)
      for (const [bar, value] of run[line].entries())
        expect(value).toBeCloseTo(pine[line][bar + warmUpBars] ?? 0, 8)
    }
    const drawn = pine.trades.filter(({ entryBar }) => entryBar >= warmUpBars)
    expect(run.trades).toHaveLength(drawn.length)
    for (const [index, trade] of run.trades.entries()) {
      expect(trade.entryBar).toBe((drawn[index]?.entryBar ?? 0) - warmUpBars)
      expect(trade.exitBar).toBe((drawn[index]?.exitBar ?? 0) - warmUpBars)
      expect(trade.entryPrice).toBeCloseTo(drawn[index]?.entryPrice ?? 0, 8)
      expect(trade.exitPrice).toBeCloseTo(drawn[index]?.exitPrice ?? 0, 8)
    }
  })

  test('has the values that the design names', () => {
    const { bars, fast, slow, trades } = sampleRun()
    const fills = trades.map((t) => [t.entryBar, t.entryPrice.toFixed(2), t.exitBar, t.exitPrice?.toFixed(2)])
    expect(fills).toEqual([
      [13, '103.99', 51, '109.05'],
      [79, '107.09', 85, '105.97'],
      [92, '108.12', 113, '109.61'],
    ])
    expect([bars, fast, slow].map((series) => series.length)).toEqual([120, 120, 120])
    expect([bars.at(-1)?.close, fast.at(-1), slow.at(-1)].map((value) => value?.toFixed(2))).toEqual([
      '106.62',
      '108.55',
      '109.58',
    ])
    expect(Math.min(...bars.map(({ low }) => low)).toFixed(2)).toBe('99.48')
    expect(Math.max(...bars.map(({ high }) => high)).toFixed(2)).toBe('114.57')
  })

  test('is drawn to scale: both lines and every candle', () => {
    const { bars, fast, slow } = sampleRun()
    const svg = drawChart()
    for (const [role, values] of Object.entries({ fast, slow })) {
      const points = pointsOfLine(pathOf(svg, role))
      expect(points).toHaveLength(drawnBars)
      for (const [bar, [x, y]] of points.entries()) {
        expect(x).toBe(5.5 + 11 * bar)
        expect(Math.abs(y - (116 - (values[bar] ?? 0)) * 18.5 - 0.5)).toBeLessThan(0.06)
      }
    }
    const rising = bars.filter(({ open, close }) => close >= open).length
    expect(pathOf(svg, 'hollow').match(/m/g)).toHaveLength(rising)
    expect(pathOf(svg, 'solid').match(/m/g)).toHaveLength(bars.length - rising)
  })
})

describe('the SVG of the chart', () => {
  const svg = drawChart()

  test('is smaller than 7 KB, and than 2.3 KB compressed', () => {
    expect(svg.length).toBeLessThan(7000)
    expect(gzipSync(svg, { level: 9 }).length).toBeLessThan(2300)
  })

  test('has a size, a name, a description, and no inline colour or style', () => {
    expect(svg).toContain('width="1392" height="364" viewBox="0 0 1392 364"')
    expect(svg).toMatch(/^<svg class="chart" role="img" [^>]+><title>[^<]+<\/title><desc>[^<]+<\/desc>/)
    expect(svg).not.toMatch(/style=|fill=|stroke=|#[0-9a-f]{3}/)
  })

  test('describes its trades, and says which one is a loss', () => {
    expect(svg).toContain('Trade 2: entry at 107.09, exit at 105.97, a loss.')
  })

  test('has a CSS rule for every class', () => {
    const css = chartStyle(customProperty)
    const used = [
      ...svg.matchAll(/class="c-([\w-]+)"/g),
      ...drawChart({ stopsShort: true }).matchAll(/class="c-([\w-]+)"/g),
    ]
    for (const [, role] of used) expect(css).toContain(`.c-${role}{`)
    expect(new Set(used.map(([, role]) => role)).size).toBe((css.match(/^\.c-[\w-]+\{/gm) ?? []).length)
  })

  test('leaves out the grid values that a tag would touch', () => {
    const values = textsOf(svg, 'value').filter((text) => text.includes('.'))
    expect(values).toEqual(['114.00', '112.00', '104.00', '102.00', '100.00'])
    expect(textsOf(svg, 'tag')).toEqual(['106.62', '108.55', '109.58'])
  })
})

describe('the chart of the 404 page', () => {
  const svg = drawChart({ stopsShort: true })

  test('has the full width, ends after bar 100 and marks where it stops', () => {
    expect(svg).toContain('width="1392"')
    expect(pointsOfLine(pathOf(svg, 'fast'))).toHaveLength(101)
    expect(svg).toMatch(/<path class="c-stop" d="M1116\.5 0v332"\/><\/svg>$/)
  })

  test('shows no price tag, and no fill after bar 100', () => {
    expect(svg).toContain('Entry 3')
    expect(svg).not.toMatch(/Exit 3|class="c-tag/)
  })
})

function pathOf(svg: string, role: string): string {
  return new RegExp(`<path class="c-${role}"[^>]* d="([^"]*)"`).exec(svg)?.[1] ?? ''
}

function textsOf(svg: string, role: string): string[] {
  const groups = svg.matchAll(new RegExp(`<g class="c-${role}".*?</g>`, 'g'))
  return [...groups].flatMap(([group]) =>
    [...group.matchAll(/>([^<>]+)<\/text>/g)].map(([, text = '']) => text),
  )
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
