import { jsonFault } from './json-fault.ts'
import type { KnownMessage } from './known-messages.ts'

/** Something around a message that keeps it from being read. */
export interface Wrapping {
  /** A sentence. */
  readonly fault: string
  /** The message itself, if there is one. Empty: nothing else was there. */
  readonly inner: string
}

const ownTitle = '{{strategy.title}}'
const ownWords =
  /: order (?:buy|sell|\{\{strategy\.order\.action\}\}) @ \S{1,80} filled on \S{1,80}\. New strategy position is (?:-?\d[\d.,]{0,40}(?:e-?\d+)?|\{\{strategy\.position_size\}\})/

/** The sentence that TradingView itself puts into the box of an alert on a strategy. */
export function ownSentence(text: string): Wrapping | undefined {
  const found = ownWords.exec(text)
  if (!found) return undefined
  const head = text.slice(0, found.index)
  const start = head.endsWith(ownTitle)
    ? head.length - ownTitle.length
    : Math.max(...['\n', '{', '}'].map((sign) => head.lastIndexOf(sign))) + 1
  const inner = (text.slice(0, start) + text.slice(found.index + found[0].length)).trim()
  const fault =
    inner === ''
      ? onlyOwnSentence
      : 'The box still has TradingView’s own sentence beside the message, so no bridge can read it. Delete that sentence.'
  return { fault, inner }
}

export const onlyOwnSentence =
  'The box still has TradingView’s own sentence, which no bridge can read. Paste the message from this page over it.'

/** TradingView's own sentence in another language. The pattern is loose, so it is asked last. */
export function isTranslated(text: string): boolean {
  return /[:：].{0,100}\b(?:buy|sell) @ \d.{1,200}\d\D{0,20}$/.test(text)
}

/** Quotation marks, brackets or words around a message. `json`: the text's value, if it is JSON. */
export function wrappingOf(text: string, json: unknown): Wrapping | undefined {
  if (typeof json === 'string') {
    return { fault: 'The whole message stands in quotation marks. Delete them.', inner: json }
  }
  if (Array.isArray(json) && json.length > 0) {
    const [only, ...others] = json
    if (others.length > 0) return several(json.length)
    return {
      fault: 'The message stands in square brackets. Delete them.',
      inner: JSON.stringify(only),
    }
  }
  const inner = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  const single = inner.replaceAll('""', '"')
  if (single !== inner && jsonFault(inner) && !jsonFault(single)) {
    const fault =
      'Its quotation marks are doubled, as a spreadsheet does it. Copy the message from TradingView’s log.'
    return { fault, inner: single }
  }
  if (inner === '' || inner === text || jsonFault(inner)) return undefined
  return { fault: 'There is text around the message. Delete it, or copy less.', inner }
}

/**
 * A placeholder of TradingView's that lacks a brace, so that TradingView does not replace it. An
 * owner's message may have it so.
 */
export function halfPlaceholder(
  text: string,
  known: readonly KnownMessage[],
): Wrapping | undefined {
  const isKnown = (piece: string) =>
    known.some(({ template }) => template.replaceAll(/\{\{[^{}]+\}\}/g, '').includes(piece))
  for (const [given, name] of text.matchAll(withBraces)) {
    const wanted = `{{${name}}}`
    if (/^\{\{.*\}\}$/.test(given) || isKnown(given)) continue
    const fault = `A placeholder has two braces on each side: write ${wanted}, not ${given}.`
    return { fault, inner: '' }
  }
  return undefined
}

const withBraces =
  /\{{1,2}\s{0,5}(ticker|exchange|interval|open|high|low|close|volume|time|timenow|plot_\d{1,2}|(?:strategy|syminfo)\.[\w.]{1,60})\s{0,5}\}{1,2}/g

export function several(messages: number): Wrapping {
  return { fault: `These are ${messages} messages. There must be only one.`, inner: '' }
}
