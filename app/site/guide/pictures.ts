import type { Content } from '#content/content.ts'
import type { SiteContent } from '#site/site-content.ts'
import type { ScreenPicture } from '#content/setup-guide.ts'
import { escapeHtml } from '#site/text/escape-html.ts'
import { splitAtNames } from '#site/text/fill.ts'
import { chartMarkup, describeTrades, lineAcross } from '../chart/chart.ts'
import { closedTrades, type SampleRun } from '../chart/sample-run.ts'
import { scriptInputs, titleOnChart, type ScriptInput } from '../kit/script-inputs.ts'
import { alert } from './pictures/alert.ts'
import { editor } from './pictures/editor.ts'
import { report } from './pictures/report.ts'
import { script as firstLinesOfScript } from './pictures/script.ts'
import { settings } from './pictures/settings.ts'
import { webhook } from './pictures/webhook.ts'

/** A drawing for PDF and web. Its colours are the page's custom properties, `var(--ink)`. */
export interface Picture {
  readonly name: ScreenPicture | 'cover'
  readonly svg: string
  /** For people who cannot see it. */
  readonly description: string
}

/**
 * The picture of a step. Undefined if it shows a run of our script and the owner gives away their
 * own.
 */
export function stepPicture(
  name: ScreenPicture,
  { fileNames, ourRun, setupGuide }: SiteContent,
  script: string,
): Picture | undefined {
  if (name === 'crossing') return ourRun && crossingPicture(setupGuide, ourRun)
  if (name === 'report') return ourRun && screen(name, tradeList(ourRun))
  const title = titleOnChart(script)
  if (name === 'script') return screen(name, firstLines(script, fileNames.script), title)
  if (name === 'settings') return screen(name, settingsDialog(script), title)
  return screen(name, { words: {}, markup: {} }, title)
}

function screen(name: keyof typeof screens, { words, markup }: Filling, title = ''): Picture {
  return fillScreen(name, { title, ...words }, markup)
}

/** `markup` goes into the drawing as it is, `words` are escaped. */
type Filling = { words: Record<string, string>; markup: Record<string, string> }

/** The first averages of a run across the cover. */
export function coverPicture({ coverDrawing }: Content['setupGuide'], run: SampleRun): Picture {
  const width = 521.58
  const height = 146
  const fast = run.fast.slice(0, 62)
  const slow = run.slow.slice(0, 62)
  const lowest = Math.min(...fast, ...slow)
  const highest = Math.max(...fast, ...slow)
  // The drawing's edge would otherwise cut the highest and the lowest point of a heavy line.
  const margin = (3 / 140) * (highest - lowest)
  const box = { width, height, top: highest + margin, bottom: lowest - margin }
  const line = (averages: readonly number[], look: string) =>
    `<path d="${lineAcross(averages, box, 1)}" fill="none" stroke-linejoin="round" ${look}/>`
  const lines = `${line(slow, 'stroke="var(--slow)" stroke-width="5"')}${line(fast, 'stroke="var(--fast)" stroke-width="2.8"')}`
  return drawing('cover', coverDrawing, `${width} ${height}`, lines)
}

/** The right end of the landing page's chart: 52 bars fill the width of a page. */
function crossingPicture(
  { crossingDrawing, falseSignal }: Content['setupGuide'],
  run: SampleRun,
): Picture {
  const { width, height, markup } = chartMarkup({ firstBar: 68, falseSignal }, run)
  const frame = `<path d="M.5 .5H${width - 0.5}V${height - 0.5}H.5Z" fill="none" stroke="var(--rule)" stroke-width="1"/>`
  const description = `${crossingDrawing} ${describeTrades(run)}`
  return drawing('crossing', description, `${width} ${height}`, markup + frame)
}

/** The head of the file, as it stands in the editor after pasting. */
function firstLines(script: string, fileName: string): Filling {
  const shown = script.split('\n').slice(0, 18)
  const lines = shown.map((text, index) => {
    const y = 45 + index * 12.5
    const ink = text.startsWith('//') && index > 0 ? 'ink2' : 'ink'
    // The editor itself scrolls.
    const cut = text.length > 88 ? `${text.slice(0, 87)}…` : text
    // SVG drops leading spaces, which indent code.
    const code = cut.replace(/^ +/, (spaces) => '\u00A0'.repeat(spaces.length))
    const number = svgText(
      27,
      y,
      String(index + 1),
      'font-size="7.5" text-anchor="end" fill="var(--ink2)"',
    )
    return number + svgText(42, y, code, `font-size="7.2" fill="var(--${ink})"`)
  })
  const sizes = { count: String(shown.length), height: String(44 + shown.length * 12.5) }
  const words = { fileName, firstLine: shown[0] ?? '', ...sizes }
  return { words, markup: { lines: lines.join('') } }
}

/** The script's own inputs with their defaults. */
function settingsDialog(script: string): Filling {
  const inputs = scriptInputs(script)
  let y = 58
  let group = ''
  let rows = ''
  for (const input of inputs) {
    if (input.group !== group) {
      rows += svgText(148, y + 10, input.group, 'font-size="8" fill="var(--ink2)"')
      y += 14
    }
    group = input.group
    rows += settingsRow(input, y)
    y += 14.4
  }
  const inputsInWords = `${inputs.map((input) => `${input.title}: ${input.default}`).join('. ')}.`
  const words = { inputsInWords, height: String(round(y + 34)), foot: String(round(y + 2)) }
  return { words, markup: { inputs: rows } }
}

/** TradingView shows a switch as a box to tick, everything else as a field. */
function settingsRow({ kind, title, default: value }: ScriptInput, y: number): string {
  const label = 'font-size="9" fill="var(--ink)"'
  if (kind !== 'bool') {
    const field = `<rect x="306" y="${round(y)}" width="110" height="12" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.75"/>`
    const look = 'font-size="7.5" font-family="var(--mono)" fill="var(--ink)"'
    return svgText(148, y + 9.5, title, label) + field + svgText(313, y + 9.5, value, look)
  }
  const ink = 'fill="none" stroke="var(--ink)"'
  const box = `<rect x="148" y="${round(y + 1.5)}" width="10" height="10" ${ink} stroke-width="0.9"/>`
  const tick = `<path d="M150.2 ${round(y + 6.7)}l2.1 2.2l3.7-4.6" ${ink} stroke-width="1.2"/>`
  return `${box}${value === 'on' ? tick : ''}${svgText(165, y + 9.8, title, label)}`
}

/**
 * The last closed trades of the sample run, newest on top as TradingView lists them, in its words
 * for this script's orders.
 */
function tradeList(run: SampleRun): Filling {
  const trades = closedTrades(run).map((trade, index) => ({ ...trade, number: index + 1 }))
  const rows = trades
    .slice(-3)
    .toReversed()
    .flatMap(({ number, entryPrice, exitPrice, isLoss }, index) => {
      const y = 97 + 30 * index
      const price = (value: number) => `text-anchor="end">${value.toFixed(2)}`
      return [
        `<text x="14" y="${y}">${number}</text><text x="62" y="${y}">Exit long</text>`,
        `<text x="150" y="${y}">Close entry(s) order Long</text><text x="346" y="${y}" ${price(exitPrice)}</text>`,
        isLoss ? `<text x="364" y="${y}">a loss</text>` : '',
        `<text x="62" y="${y + 15}">Entry long</text><text x="150" y="${y + 15}">Long</text>`,
        `<text x="346" y="${y + 15}" ${price(entryPrice)}</text>`,
      ]
    })
  return {
    words: { tradesInWords: describeTrades(run) },
    markup: { trades: rows.join('') },
  }
}

/** The drawings of TradingView, as SVG. */
const screens = { alert, editor, report, script: firstLinesOfScript, settings, webhook }

/** A drawing of a screen with its {names} filled in. */
function fillScreen(
  name: keyof typeof screens,
  words: Filling['words'],
  markup: Filling['words'],
): Picture {
  const template = screens[name].replaceAll(/>\s+</g, '><')
  const fillNames = (text: string, print: (word: string) => string) =>
    splitAtNames(text)
      .map((piece) => {
        if (typeof piece === 'string') return piece
        return markup[piece.name] ?? print(words[piece.name] ?? '')
      })
      .join('')
  const [, label = ''] = /aria-label="([^"]*)"/.exec(template) ?? []
  const description = fillNames(label, (word) => word)
  return { name, svg: fillNames(template, escapeHtml), description }
}

function drawing(name: Picture['name'], description: string, box: string, markup: string): Picture {
  const label = escapeHtml(description)
  const svg = `<svg class="guide-drawing" role="img" aria-label="${label}" viewBox="0 0 ${box}">${markup}</svg>`
  return { name, svg, description }
}

function svgText(x: number, y: number, text: string, look: string): string {
  return `<text x="${x}" y="${round(y)}" ${look}>${escapeHtml(text)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
