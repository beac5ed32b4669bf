import { argumentsFrom, type PineArguments } from '#kit/script-inputs.ts'

export interface PineLine {
  readonly number: number
  /** As written. */
  readonly text: string
  /** The text with comments and string contents blanked out; its length stays. */
  readonly code: string
  readonly indent: number
  /** Begins inside brackets, or after an operator that ended the line before. */
  readonly continues: boolean
}

export interface PineCall extends PineArguments {
  readonly name: string
  readonly line: number
  /** Indent of the line on which the statement begins. */
  readonly indent: number
}

export interface PineDefinition {
  readonly name: string
  readonly parameters: readonly string[]
}

/** The lines of a script, with the facts that the lint rules need. */
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

/** Every call with its arguments as written; definitions of functions and `if (` are left out. */
export function readCalls(source: string, lines: readonly PineLine[]): PineCall[] {
  const code = lines.map((line) => line.code).join('\n')
  return [...code.matchAll(/(?<![\w.])([A-Za-z_][\w.]*)\(/g)].flatMap((found) => {
    const [opening, name = ''] = found
    const line = code.slice(0, found.index).split('\n').length
    const statement = lines.slice(0, line).findLast((each) => !each.continues)
    if (definition.exec(lines[line - 1]?.code ?? '')?.[1] === name) return []
    const given = argumentsFrom(source, found.index + opening.length)
    return [{ name, line, indent: statement?.indent ?? 0, ...given }]
  })
}

const definition = /^(\w+)\(([^)]*)\)\s*=>/

export function readDefinitions(lines: readonly PineLine[]): PineDefinition[] {
  return lines.flatMap(({ code }) => {
    const [, name, list] = definition.exec(code) ?? []
    if (name === undefined || list === undefined) return []
    return [{ name, parameters: list.split(',').map((each) => each.trim().split(/\s+/).at(-1) ?? '') }]
  })
}

export function readAssignedNames(lines: readonly PineLine[]): string[] {
  return lines.flatMap(({ code, continues }) => {
    const [, name] = /^\s*(?:(?:int|float|string|bool)\s+)?(\w+)\s*:?=(?![=>])/.exec(code) ?? []
    return continues || name === undefined ? [] : [name]
  })
}

function blanked(line: string): string {
  return line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*$/g, (text) => {
    if (text.startsWith('//')) return ' '.repeat(text.length)
    return `"${'_'.repeat(text.length - 2)}"`
  })
}
