import { expect, test } from 'vitest'
import { labelledPoints, layOut, plotBottom } from './layout.ts'
import type { Scale } from './scale.ts'

const even: Scale = { kind: 'linear', ticks: [0, 5, 10] }
const days = Array.from({ length: 28 }, (_, index) => `${index + 1} Nov`)

test('the highest value of the scale is twice as high as its half', () => {
  const { y } = layOut(664, 28, even)
  expect(y(0)).toBe(plotBottom)
  expect(plotBottom - y(10)).toBe(2 * (plotBottom - y(5)))
})

test('on a logarithmic scale a usual day can be seen beside one that is far above it', () => {
  const { y } = layOut(664, 28, { kind: 'logarithmic', ticks: [0, 10, 100, 1_000, 5_000] })
  expect(y(0)).toBe(plotBottom)
  expect(plotBottom - y(12)).toBeGreaterThan((plotBottom - y(5_000)) / 4)
})

test('the pointer chooses the point below it, and at the edges the first and the last', () => {
  const { x, indexAt } = layOut(664, 28, even)
  expect(indexAt(x(9))).toBe(9)
  expect(indexAt(-5)).toBe(0)
  expect(indexAt(9_000)).toBe(27)
})

test.each([320, 664, 1_400])('no label is cut or touches another at %i px', (width) => {
  const layout = layOut(width, days.length, even)
  const edges = labelledPoints(days, layout).map((index) => {
    const half = (days[index]!.length * 7.8) / 2
    return { left: layout.x(index) - half, right: layout.x(index) + half }
  })
  expect(edges.length).toBeGreaterThan(1)
  expect(edges[0]!.left).toBeGreaterThanOrEqual(0)
  expect(edges.at(-1)!.right).toBeLessThanOrEqual(layout.plotWidth)
  for (const [index, { left }] of edges.slice(1).entries()) {
    expect(left).toBeGreaterThan(edges[index]!.right)
  }
})
