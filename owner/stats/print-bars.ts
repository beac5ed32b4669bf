import { aboutBars, type Bar, barsOf, isGrouped, namingStep } from './bars.ts'
import { countText, shortDay } from './in-words.ts'

const rows = 8
const columns = 66
const widestBar = 8
const eighths = ' ▁▂▃▄▅▆▇█'

/** Upright bars of block characters, at most 80 columns wide. */
export function printBars(days: readonly { day: string; count: number }[]): string {
  const bars = barsOf(days)
  const most = Math.max(...bars.map(({ count }) => count))
  const width = Math.min(widestBar, Math.floor(columns / bars.length))
  const margin = Math.max(5, countText(most).length + 2)
  const lines = Array.from({ length: rows }, (_, index) => {
    const row = rows - 1 - index
    const cells = bars.map(({ count }) => cell(heightInEighths(count, most) - row * 8, width))
    return `${(index === 0 ? countText(most) : '').padStart(margin)} ┤${cells.join('')}`.trimEnd()
  })
  return [
    isGrouped(bars) ? `Sign-ups. ${aboutBars(bars)}` : 'Sign-ups a day',
    ...lines,
    `${'0'.padStart(margin)} └${'─'.repeat(bars.length * width)}`,
    `${' '.repeat(margin + 2)}${names(bars, width)}`,
    '',
  ].join('\n')
}

/** A bar lying down; `part` of the whole width. */
export function lyingBar(part: number, width: number): string {
  const eighthsLong = part > 0 ? Math.max(1, Math.round(Math.min(1, part) * width * 8)) : 0
  const lying = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
  return '█'.repeat(Math.floor(eighthsLong / 8)) + lying[eighthsLong % 8]!
}

function heightInEighths(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(1, Math.round((count / most) * rows * 8))
}

function cell(eighthsHere: number, width: number): string {
  const block = eighths[Math.max(0, Math.min(8, eighthsHere))]!
  return width === 1 ? block : `${block.repeat(width - 1)} `
}

function names(bars: readonly Bar[], width: number): string {
  const step = namingStep(bars.length)
  return bars
    .filter((_, index) => index % step === 0)
    .map(({ from }) => shortDay(from).padEnd(step * width))
    .join('')
    .trimEnd()
}
