export interface PineLine {
  readonly number: number
  /** As written. */
  readonly text: string
  /** With comments and the insides of texts blanked, same length. */
  readonly code: string
  readonly indent: number
  /** Begins inside brackets, or after an operator that ended the line before. */
  readonly continues: boolean
}

export interface PineCall {
  readonly name: string
  readonly line: number
  /** Indent of the line on which the statement begins. */
  readonly indent: number
  readonly positional: readonly string[]
  readonly named: ReadonlyMap<string, string>
}

export interface PineDefinition {
  readonly name: string
  readonly parameters: readonly string[]
}

/** The lines of a script, with what the rules need to know about each. */
export function readLines(source: string): PineLine[] {
  let depth = 0
  let unfinished = false
  return source.split('\n').map((text, index) => {
    const code = blanked(text)
    const continues = depth > 0 || unfinished
    for (const sign of code) depth += '([{'.includes(sign) ? 1 : ')]}'.includes(sign) ? -1 : 0
    if (code.trim() !== '')
      unfinished = /(?:[+\-*/<>?:,]|[^=]=|\b(?:and|or|not))\s*$/.test(code) && !/=>\s*$/.test(code)
    return { number: index + 1, text, code, indent: text.length - text.trimStart().length, continues }
  })
}

/** Every call with its arguments as written, own functions and `if (` left out. */
export function readCalls(source: string, lines: readonly PineLine[]): PineCall[] {
  const code = lines.map((line) => line.code).join('\n')
  return [...code.matchAll(/(?<![\w.])([A-Za-z_][\w.]*)\(/g)].flatMap((found) => {
    const [opening, name = ''] = found
    const open = found.index + opening.length
    const { parts, end } = splitArguments(source, code, open)
    // A definition, not a call.
    if (/^\s*=>/.test(code.slice(end + 1))) return []
    const line = code.slice(0, found.index).split('\n').length
    const statement = lines.slice(0, line).findLast((each) => !each.continues)
    return [{ name, line, indent: statement?.indent ?? 0, ...sortArguments(parts) }]
  })
}

export function readDefinitions(lines: readonly PineLine[]): PineDefinition[] {
  return lines.flatMap(({ code }) => {
    const [, name, list] = /^(\w+)\(([^)]*)\)\s*=>/.exec(code) ?? []
    if (name === undefined || list === undefined) return []
    return [{ name, parameters: list.split(',').map((each) => each.trim().split(/\s+/).at(-1) ?? '') }]
  })
}

/** Names that statements give a value, with the expression of each. */
export function readAssignments(lines: readonly PineLine[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { code, continues } of lines) {
    const [, name, expression] =
      /^\s*(?:(?:int|float|string|bool)\s+)?(\w+)\s*:?=(?![=>])(.*)$/.exec(code) ?? []
    if (!continues && name !== undefined && expression !== undefined) found.set(name, expression)
  }
  return found
}

function blanked(line: string): string {
  return line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*$/g, (text) => {
    if (text.startsWith('//')) return ' '.repeat(text.length)
    return `"${'_'.repeat(text.length - 2)}"`
  })
}

function splitArguments(source: string, code: string, open: number): { parts: string[]; end: number } {
  const parts: string[] = []
  let depth = 1
  let start = open
  let at = open
  for (; at < code.length && depth > 0; at++) {
    const sign = code[at] ?? ''
    if ('([{'.includes(sign)) depth++
    if (')]}'.includes(sign)) depth--
    if (depth === 0 || (depth === 1 && sign === ',')) {
      parts.push(source.slice(start, at).trim())
      start = at + 1
    }
  }
  return { parts: parts.filter((part) => part !== ''), end: at - 1 }
}

function sortArguments(parts: readonly string[]) {
  const positional: string[] = []
  const named = new Map<string, string>()
  for (const part of parts) {
    const [, name, value] = /^(\w+)\s*=(?!=)\s*([\s\S]+)$/.exec(part) ?? []
    if (name !== undefined && value !== undefined) named.set(name, value)
    else positional.push(part)
  }
  return { positional, named }
}
