import { sampleRun } from '../crossover-run.ts'
import type { ScriptInput } from '../script-inputs.ts'
import { box, line, mono, words, type Drawing, type Shape } from './drawing.ts'
import { dialog, field, letterMark, pressButton, quietButton, screenWidth, tickBox } from './screen-parts.ts'

const dialogLeft = 134
const dialogWidth = screenWidth - dialogLeft
const tabs = [
  { name: 'Inputs', letter: 'b' },
  { name: 'Properties', letter: 'c' },
  { name: 'Style' },
  { name: 'Visibility' },
]

/** The settings dialog with the script's own inputs and defaults. */
export function settingsScreen(inputs: readonly ScriptInput[], title: string): Drawing {
  const rows = inputRows(inputs)
  const height = 58 + rows.height + 34
  return {
    width: screenWidth,
    height,
    description: `The settings dialog of the script, tab Inputs. ${inputs.map((input) => `${input.title}: ${input.default}`).join('. ')}.`,
    shapes: [
      ...legendRow(title),
      ...dialog(dialogLeft, 0, dialogWidth, height, title, tabs, 'Inputs'),
      ...rows.shapes,
      line([
        [dialogLeft, height - 32],
        [screenWidth, height - 32],
      ]),
      ...quietButton(screenWidth - 126, height - 25, 54, 'Cancel'),
      ...pressButton(screenWidth - 64, height - 25, 50, 'Ok'),
    ],
  }
}

/** The list of trades of the sample run, newest on top as TradingView lists them. */
export function reportScreen(): Drawing {
  const rows = tradeRows()
  const height = 92 + rows.length * 15 + 6
  return {
    width: screenWidth,
    height,
    description: `The strategy panel below the chart, tab List of trades. ${rows.map((row) => row.join(' ')).join('. ')}. Trade 2 is a loss.`,
    shapes: [
      box(0, 0, screenWidth, height),
      words(14, 20, 'Strategy Tester', { face: 'strong', size: 9.5 }),
      ...letterMark(96, 11, 'a'),
      line([
        [0, 32],
        [screenWidth, 32],
      ]),
      words(14, 49, 'Overview', { ink: 'ink2' }),
      words(72, 49, 'List of trades', { face: 'strong' }),
      line(
        [
          [72, 56],
          [133, 56],
        ],
        'ink',
        1.5,
      ),
      ...letterMark(142, 40, 'c'),
      words(226, 49, 'Max equity drawdown', { ink: 'ink2' }),
      box(334, 43, 40, 5, { fill: 'rule' }),
      ...letterMark(382, 40, 'b'),
      line([
        [0, 56.5],
        [screenWidth, 56.5],
      ]),
      ...['Trade', 'Type', 'Signal', 'Price'].map((name, index) =>
        mono(tradeColumns[index] ?? 0, 74, name, { ink: 'ink2', align: index === 3 ? 'right' : 'left' }),
      ),
      line([
        [0, 82],
        [screenWidth, 82],
      ]),
      ...rows.flatMap((row, index) => tradeRow(row, 97 + index * 15)),
    ],
  }
}

const tradeColumns = [14, 62, 150, 346, 364]

function tradeRow(row: readonly string[], y: number): Shape[] {
  return row.flatMap((text, index) =>
    text === '' ? [] : [mono(tradeColumns[index] ?? 0, y, text, { align: index === 3 ? 'right' : 'left' })],
  )
}

/** Two rows a trade, the later one above; signals in TradingView's words for this script's orders. */
function tradeRows(): string[][] {
  return sampleRun()
    .trades.toReversed()
    .flatMap(({ entryPrice, exitPrice = Number.NaN }, index, { length }) => [
      [
        String(length - index),
        'Exit long',
        'Close entry(s) order Long',
        exitPrice.toFixed(2),
        exitPrice < entryPrice ? 'a loss' : '',
      ],
      ['', 'Entry long', 'Long', entryPrice.toFixed(2), ''],
    ])
}

function legendRow(title: string): Shape[] {
  return [
    words(0, 38, title, { face: 'medium', size: 9.5 }),
    line([
      [0, 44],
      [108, 44],
    ]),
    ...pressButton(0, 52, 58, 'Settings'),
    ...letterMark(64, 55, 'a'),
    line(
      [
        [84, 61],
        [dialogLeft - 8, 61],
      ],
      'ink2',
      0.75,
    ),
    line(
      [
        [dialogLeft - 12, 58],
        [dialogLeft - 8, 61],
        [dialogLeft - 12, 64],
      ],
      'ink2',
      0.75,
    ),
  ]
}

function inputRows(inputs: readonly ScriptInput[]): { shapes: Shape[]; height: number } {
  const shapes: Shape[] = []
  let y = 58
  let group = ''
  for (const input of inputs) {
    if (input.group !== group) {
      group = input.group
      shapes.push(words(dialogLeft + 14, y + 10, group, { size: 8, ink: 'ink2' }))
      y += 14
    }
    shapes.push(...inputRow(input, y))
    y += 15.8
  }
  return { shapes, height: y - 58 }
}

/** As TradingView draws them: a switch is a box to tick, everything else a field. */
function inputRow(input: ScriptInput, y: number): Shape[] {
  if (input.kind === 'bool') return tickBox(dialogLeft + 14, y + 1.5, input.default === 'on', input.title)
  return [
    words(dialogLeft + 14, y + 9.5, input.title),
    ...field(screenWidth - 124, y, 110, input.default, { height: 13, size: 7.5 }),
  ]
}
