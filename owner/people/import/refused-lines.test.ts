import { expect, test } from 'vitest'
import { groupRefusals, refusedLinesFile } from './refused-lines.ts'

test('lines are grouped by their reason, the most frequent first, with the first three of each', () => {
  const lines = Array.from({ length: 9 }, (_, index) => ({
    line: index + 2,
    why: `${index}`,
    reason: index % 3 === 0 ? 'rare' : 'frequent',
  }))
  expect(groupRefusals(lines)).toEqual([
    { reason: 'frequent', count: 6, examples: [lines[1], lines[2], lines[4]] },
    { reason: 'rare', count: 3, examples: [lines[0], lines[3], lines[6]] },
  ])
})

test('the file of refused lines has each once, and no formula for a spreadsheet', async () => {
  const lines = Array.from({ length: 501 }, (_, index) => ({ line: index, why: '=1', reason: '' }))
  const text = (await Array.fromAsync(refusedLinesFile(lines))).join('')
  expect(text.split('\r\n')).toEqual(['line,why', ...lines.map(({ line }) => `${line},'=1`), ''])
})
