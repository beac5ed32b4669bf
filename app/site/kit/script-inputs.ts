import { ContentError } from './content-error.ts'

export interface ScriptInput {
  /** The variable that holds it. */
  readonly name: string
  /** `int` in `input.int`; plain `input` is "any". */
  readonly kind: string
  readonly title: string
  /** As the settings dialog shows it. */
  readonly default: string
  readonly tooltip: string
  readonly group: string
}

/** The inputs of a Pine script, in the order of the settings dialog. */
export function scriptInputs(source: string): ScriptInput[] {
  const texts = stringConstants(source)
  const text = (expression = '') => textOf(expression, texts)
  const inputs: ScriptInput[] = []
  const opening =
    /^(?:(?:var|varip|const|simple)\s+)?(?:\w+\s+)?(\w+)\s*=\s*input(?:\.(\w+))?\s*\(/gm
  for (let call = opening.exec(source); call; call = opening.exec(source)) {
    const [, name = '', kind = 'any'] = call
    const { named, positional, end } = argumentsFrom(source, opening.lastIndex)
    opening.lastIndex = end // a bracket that is never closed is looked for once
    inputs.push({
      name,
      kind,
      title: text(named.get('title') ?? positional[1]) || name,
      default: shownDefault(named.get('defval') ?? positional[0] ?? '', texts),
      tooltip: text(named.get('tooltip')),
      group: text(named.get('group')),
    })
  }
  return inputs
}

/**
 * The short title of `strategy("…", "…")` or `indicator(…)`, which the chart and the alert dialog
 * show.
 */
export function titleOnChart(source: string): string {
  const { named, positional } = declaration(source)
  const title = named.get('shorttitle') ?? positional[1] ?? named.get('title') ?? positional[0]
  return textOf(title ?? '', stringConstants(source))
}

/** The whole title of the same call. */
export function scriptTitle(source: string): string {
  const { named, positional } = declaration(source)
  return textOf(named.get('title') ?? positional[0] ?? '', stringConstants(source))
}

function declaration(source: string) {
  const call = /^(?:strategy|indicator)\s*\(/m.exec(source)
  if (!call) throw new ContentError('The script has no strategy() or indicator() call.')
  return argumentsFrom(source, call.index + call[0].length)
}

/**
 * Reads the arguments of a call from just after its opening bracket. Nested brackets and strings
 * are respected.
 */
function argumentsFrom(source: string, start: number) {
  const positional: string[] = []
  const named = new Map<string, string>()
  const { parts, end } = splitArguments(source, start)
  for (const argument of parts) {
    const pair = /^(\w+)\s*=(?!=)\s*([\s\S]+)$/.exec(argument)
    if (pair?.[1] && pair[2]) named.set(pair[1], pair[2])
    else positional.push(argument)
  }
  return { positional, named, end }
}

/** `end`: the position behind the closing bracket. A text ends with its line at the latest. */
function splitArguments(source: string, start: number): { parts: string[]; end: number } {
  const parts: string[] = ['']
  let depth = 1
  let end = start
  const tokens = source
    .slice(start)
    .matchAll(/"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\/\/[^\n]*|[\s\S]/g)
  for (const [text] of tokens) {
    end += text.length
    if (text.startsWith('//')) continue
    if ('([{'.includes(text)) depth++
    if (')]}'.includes(text)) depth--
    if (depth === 0) break
    if (text === ',' && depth === 1) parts.push('')
    else parts[parts.length - 1] += text
  }
  return { parts: parts.map((part) => part.trim()).filter((part) => part !== ''), end }
}

/**
 * Joins string literals and named strings: `"a" + "b"`, `groupName`. Anything else stays as
 * written.
 */
function textOf(expression: string, texts: ReadonlyMap<string, string>): string {
  if (!joinedTexts.test(expression)) return expression
  const pieces = expression.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([\w.]+)/g)
  return [...pieces]
    .map(([, double, single, name]) => double ?? single ?? (texts.get(name ?? '') || (name ?? '')))
    .join('')
    .replaceAll(/\\n/g, ' ')
    .replaceAll(/\\(.)/g, '$1')
}

const namedOrQuoted = `(?:"(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'|[a-z_][\\w.]*)`
/** Strings and names, joined by a plus. */
const joinedTexts = new RegExp(`^${namedOrQuoted}(?:\\s*\\+\\s*${namedOrQuoted})*$`, 'i')

function stringConstants(source: string): Map<string, string> {
  const found = source.matchAll(
    /^(?:(?:var|const)\s+)?(?:string\s+)?(\w+)\s*=\s*("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')\s*(?:\/\/.*)?$/gm,
  )
  return new Map([...found].map(([, name = '', literal = '']) => [name, literal.slice(1, -1)]))
}

function shownDefault(expression: string, texts: ReadonlyMap<string, string>): string {
  if (expression === 'true') return 'on'
  if (expression === 'false') return 'off'
  if (/^-?\d+\.0+$/.test(expression)) return String(Number(expression))
  const text = textOf(expression.replace(/^timestamp\s*\(/, '').replace(/\)$/, ''), texts)
  return text.replace(/ 00:00 \+0000$/, '')
}
