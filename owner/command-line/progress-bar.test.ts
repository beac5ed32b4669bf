import { expect, test } from 'vitest'
import { startProgress } from './progress-bar.ts'

test('in a terminal the progress bar overwrites its line, and ends with a line break', () => {
  expect(shown(true, [2, 2, 2])).toEqual([
    '\rrows [############............]  50 %  2 of 4',
    '\rrows [########################] 100 %  4 of 4',
    // Rows came while it went on.
    '\rrows [########################] 100 %  6 of 4',
    '\n',
  ])
  expect(shown(true, [])).toEqual([])
})

test('without a terminal no progress bar is printed', () => {
  expect(shown(false, [2, 2])).toEqual([])
})

function shown(isTerminal: boolean, steps: number[]): string[] {
  const lines: string[] = []
  const progress = startProgress({ isTerminal, writeError: (text) => void lines.push(text) }, 'rows', 4)
  for (const step of steps) progress.add(step)
  progress.end()
  return lines
}
