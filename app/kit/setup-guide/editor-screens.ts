import { sampleRun } from '../crossover-run.ts'
import { titleOnChart } from '../script-inputs.ts'
import { box, line, mono, words, type Drawing, type Point, type Shape } from './drawing.ts'
import { letterMark, pressButton, quietButton, screenWidth } from './screen-parts.ts'

const editorLeft = 218
const toolbarLeft = 392

/** Where the Pine Editor is found on a chart: the bar on the right, or the tab below in older layouts. */
export function editorScreen(): Drawing {
  const height = 268
  return {
    width: screenWidth,
    height,
    description:
      'A TradingView chart, drawn in outline. In the bar at the right edge the button Pine Editor is marked b; the editor stands open beside the chart. At the lower edge an outlined tab Pine Editor shows where older layouts have it.',
    shapes: [
      box(0, 0, screenWidth, height),
      ...topBar(),
      ...candles(14, 64, editorLeft - 28, 150),
      ...letterMark(14, 36, 'a'),
      ...emptyEditor(),
      ...toolbar(),
      line([
        [0, 246],
        [toolbarLeft, 246],
      ]),
      box(10, 248.5, 66, 17, { stroke: 'ink2', weight: 0.75 }),
      words(43, 260, 'Pine Editor', { align: 'centre', size: 8.5 }),
      mono(84, 260, 'here in older layouts', { ink: 'ink2', size: 7.5 }),
    ],
  }
}

/** The head of the shipped file, as it stands in the editor after pasting. */
export function scriptScreen(source: string, fileName: string): Drawing {
  const shown = source.split('\n').slice(0, 18)
  const height = 44 + shown.length * 12.5
  return {
    width: screenWidth,
    height,
    description: `The Pine Editor with the first ${shown.length} lines of ${fileName}. Line 1 reads: ${shown[0]}. The name of the script and Save stand above the lines.`,
    shapes: [
      box(0, 0, screenWidth, height),
      words(14, 19, titleOnChart(source), { face: 'medium', size: 10 }),
      ...pressButton(284, 6, 46, 'Save'),
      ...letterMark(266, 9, 'c'),
      ...quietButton(342, 6, 74, 'Add to chart'),
      line([
        [0, 30],
        [screenWidth, 30],
      ]),
      line([
        [34, 30],
        [34, height],
      ]),
      ...shown.flatMap((text, index) => codeLine(text, index)),
    ],
  }
}

function codeLine(text: string, index: number): Shape[] {
  const y = 45 + index * 12.5
  const ink = text.startsWith('//') && index > 0 ? 'ink2' : 'ink'
  return [
    mono(27, y, String(index + 1), { ink: 'ink2', size: 7.5, align: 'right' }),
    mono(42, y, cut(text), { ink, size: 7.2 }),
  ]
}

/** What fits the width of the drawing; the editor itself scrolls. */
function cut(text: string): string {
  return text.length > 88 ? `${text.slice(0, 87)}…` : text
}

function topBar(): Shape[] {
  return [
    line([
      [0, 26],
      [screenWidth, 26],
    ]),
    mono(14, 17, 'SYMBOL'),
    line([
      [58, 7],
      [58, 19],
    ]),
    mono(70, 17, '1D'),
    line([
      [94, 7],
      [94, 19],
    ]),
    words(106, 17, 'Indicators', { ink: 'ink2' }),
    words(164, 17, 'Alert', { ink: 'ink2' }),
  ]
}

function emptyEditor(): Shape[] {
  const widths = [62, 104, 0, 84, 96, 0, 52, 78]
  return [
    line([
      [editorLeft, 26],
      [editorLeft, 246],
    ]),
    words(editorLeft + 12, 44, 'Untitled script', { face: 'medium', size: 10 }),
    line([
      [editorLeft, 54],
      [toolbarLeft, 54],
    ]),
    ...widths.flatMap((width, index) => {
      const y = 70 + index * 15
      return [
        mono(editorLeft + 20, y, String(index + 1), { ink: 'ink2', align: 'right' }),
        ...(width > 0 ? [box(editorLeft + 30, y - 5, width, 4, { fill: 'rule' })] : []),
      ]
    }),
  ]
}

function toolbar(): Shape[] {
  const places = [38, 66, 94, 178, 206]
  return [
    line([
      [toolbarLeft, 26],
      [toolbarLeft, 268],
    ]),
    ...places.map((y) => box(toolbarLeft + 11, y, 16, 16, { stroke: 'rule', weight: 1 })),
    box(toolbarLeft + 6, 126, 26, 26, { fill: 'ink' }),
    box(toolbarLeft + 6, 150, 26, 3, { fill: 'fast' }),
    mono(toolbarLeft + 19, 142, '</>', { ink: 'paper', align: 'centre' }),
    words(toolbarLeft - 6, 142, 'Pine Editor', { align: 'right', face: 'strong', halo: true }),
    ...letterMark(toolbarLeft - 74, 132.5, 'b'),
  ]
}

/** The first bars of the sample series, so that even a sketch shows no invented market. */
function candles(left: number, top: number, width: number, height: number): Shape[] {
  const bars = sampleRun().bars.slice(8, 34)
  const highest = Math.max(...bars.map((bar) => bar.high))
  const lowest = Math.min(...bars.map((bar) => bar.low))
  const step = width / bars.length
  const y = (price: number) => top + ((highest - price) / (highest - lowest)) * height
  return bars.flatMap((bar, index): Shape[] => {
    const x = left + (index + 0.5) * step
    const body = Math.max(1, Math.abs(y(bar.open) - y(bar.close)))
    const wick: Point[] = [
      [x, y(bar.high)],
      [x, y(bar.low)],
    ]
    const rising = bar.close >= bar.open
    return [
      line(wick, 'ink2', 0.75),
      box(x - 2.2, y(Math.max(bar.open, bar.close)), 4.4, body, {
        fill: rising ? 'paper' : 'ink2',
        stroke: 'ink2',
        weight: 0.75,
      }),
    ]
  })
}
