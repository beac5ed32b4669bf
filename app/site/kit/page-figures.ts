import { exampleTrade, type SampleRun } from '../chart/sample-run.ts'

export interface CodeToken {
  readonly text: string
  readonly kind: 'fast' | 'slow' | 'keyword' | 'comment' | 'number' | 'plain'
}

export interface CodeLine {
  /** The line's number in the shipped file. */
  readonly number: number
  readonly text: string
  readonly tokens: readonly CodeToken[]
  /** Is undefined if the line sends no order. */
  readonly order: 'enters' | 'leaves' | undefined
}

const keywords =
  /^(?:if|else|for|while|switch|and|or|not|true|false|strategy|strategy\.(?:entry|order|exit|close|close_all))$/

/** The heart of the script for the landing page: 14 lines as they stand in the file. */
export function codePreview(script: string): readonly CodeLine[] {
  return excerpt(script, '// The rule', 14)
}

/** The whole script for the personal page. */
export function scriptListing(script: string): readonly CodeLine[] {
  return excerpt(script, '', Infinity)
}

/** The lines of a file that ends with a line break. */
export function lineCount(script: string): number {
  return scriptListing(script).length
}

/** Consecutive lines from the one that starts with `marker`, or from the first if there is none. */
export function excerpt(source: string, marker: string, lines: number): CodeLine[] {
  const all = source.replace(/\n$/, '').split('\n')
  const marked = all.findIndex((line) => line.startsWith(marker))
  const first = Math.max(0, marked)
  return all.slice(first, first + lines).map((text, offset) => {
    return { number: first + offset + 1, text, tokens: tokensOf(text), order: orderOf(text) }
  })
}

function tokensOf(line: string): CodeToken[] {
  const parts =
    line.match(/\/\/.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[\w.]+|[^\w."'/]+|./g) ?? []
  return parts.map((text) => ({ text, kind: kindOf(text) }))
}

function kindOf(text: string): CodeToken['kind'] {
  if (text === 'fast' || text === 'fastLength') return 'fast'
  if (text === 'slow' || text === 'slowLength') return 'slow'
  if (text.startsWith('//')) return 'comment'
  if (/^\d[\d.]*$/.test(text)) return 'number'
  return keywords.test(text) ? 'keyword' : 'plain'
}

function orderOf(line: string): CodeLine['order'] {
  const [, call] = /^\s*strategy\.(entry|order|exit|close|close_all)\(/.exec(line) ?? []
  if (call === undefined) return undefined
  return call === 'entry' || call === 'order' ? 'enters' : 'leaves'
}

/** The alerts of one trade. */
interface AlertExamples {
  readonly entry: AlertExample
  readonly exit: AlertExample
}

interface AlertExample {
  /** The message. */
  readonly json: string
  /** At which the order is filled, with two decimals. */
  readonly price: string
}

/** The alerts of the losing trade of a run. */
export function alertExamples(run: SampleRun): AlertExamples {
  const trade = exampleTrade(run)
  if (!trade) throw new Error('The script closes no trade on the sample series')
  return {
    entry: { json: trade.entryMessage, price: trade.entryPrice.toFixed(2) },
    exit: { json: trade.exitMessage, price: trade.exitPrice.toFixed(2) },
  }
}
