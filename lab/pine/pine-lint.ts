import { readFileSync } from 'node:fs'
import { readAssignedNames, readCalls, readDefinitions, readLines } from './read-source.ts'
import type { PineCall, PineDefinition, PineLine } from './read-source.ts'

interface PineFunction {
  readonly parameters: readonly string[]
  /** How many of the first parameters must be given. */
  readonly required: number
  /** Takes any number of further arguments. */
  readonly open?: boolean
}

/**
 * The part of Pine Script v6 that the kit's script may use, from TradingView's reference manual. The lint reports
 * everything else: pinets runs a call with an argument that does not exist, TradingView rejects the script. Names that can
 * look ahead or repaint are left out.
 */
interface Vocabulary {
  readonly functions: Readonly<Record<string, PineFunction>>
  /** Built-in values, constants, types and words of the language. */
  readonly names: readonly string[]
  /** Required arguments of strategy(). The guide explains fills by the first; the others keep a backtest realistic. */
  readonly declaration: Readonly<Record<string, string>>
}

const vocabulary: Vocabulary = JSON.parse(readFileSync(new URL('vocabulary.json', import.meta.url), 'utf8'))
const builtIn = new Set(vocabulary.names)

/**
 * Mistakes that pinets accepts, but TradingView or a careful reviewer would not. What a run of the script shows, its fills,
 * messages and orders on open bars, crossover-proof.ts proves.
 */
export function lintPine(source: string): string[] {
  const lines = readLines(source)
  const calls = readCalls(source, lines)
  const definitions = readDefinitions(lines)
  return [
    ...layoutFaults(source, lines),
    ...calls.flatMap((call) => callFaults(call, definitions)),
    ...nameFaults(lines, definitions),
    ...declarationFaults(calls),
    ...inputFaults(calls),
    ...messageFaults(lines),
  ]
}

function layoutFaults(source: string, lines: readonly PineLine[]): string[] {
  const faults: string[] = []
  for (const { number, text, indent, continues } of lines) {
    const at = `line ${number}:`
    if (/[^\x20-\x7e]/.test(text)) faults.push(`${at} not plain ASCII`)
    if (text !== text.trimEnd()) faults.push(`${at} white space at the end`)
    if (text.length > 120) faults.push(`${at} longer than 120 characters`)
    if (text.trim() !== '' && continues === (indent % 4 === 0)) faults.push(`${at} indent of ${indent}`)
  }
  if (lines[0]?.text !== '//@version=6') faults.push('line 1: must be //@version=6')
  if (!source.endsWith('\n')) faults.push('no line break at the end')
  return faults
}

function callFaults(call: PineCall, definitions: readonly PineDefinition[]): string[] {
  const own = definitions.find(({ name }) => name === call.name)
  const known: PineFunction | undefined = own
    ? { parameters: own.parameters, required: own.parameters.length }
    : vocabulary.functions[call.name]
  const at = `line ${call.line}: ${call.name}`
  if (known === undefined) return [`${at}: no such function in our part of Pine`]
  const { parameters, required, open } = known
  const faults = [...call.named.keys()].flatMap((name) => {
    const index = parameters.indexOf(name)
    if (index < 0) return [`${at}: no argument "${name}"`]
    return index < call.positional.length ? [`${at}: "${name}" is given twice`] : []
  })
  const missing = parameters.slice(call.positional.length, required).filter((name) => !call.named.has(name))
  faults.push(...missing.map((name) => `${at}: "${name}" is missing`))
  if (!open && call.positional.length > parameters.length) faults.push(`${at}: too many arguments`)
  const global = /^(?:plot|plotshape|strategy|input\.\w+|ta\.\w+)$/.test(call.name)
  if (global && call.indent > 0) faults.push(`${at}: only at the left margin, where it runs on every bar`)
  return faults
}

function nameFaults(lines: readonly PineLine[], definitions: readonly PineDefinition[]): string[] {
  const own = new Set([
    ...readAssignedNames(lines),
    ...definitions.flatMap(({ name, parameters }) => [name, ...parameters]),
  ])
  return lines.flatMap(({ number, code }) => {
    const words = [...code.matchAll(/(?<![\w."])[A-Za-z_][\w.]*/g)].filter(({ 0: word, index }) => {
      // A name before a bracket is a call, before "=" it is an argument: callFaults checks both.
      return !/^(?:\(|\s*=(?![=>]))/.test(code.slice(index + word.length))
    })
    const unknown = words.map(([word]) => word).filter((word) => !own.has(word) && !builtIn.has(word))
    return unknown.map((word) => `line ${number}: nothing is called "${word}"`)
  })
}

function declarationFaults(calls: readonly PineCall[]): string[] {
  const [first, ...more] = calls.filter(({ name }) => name === 'strategy')
  if (first === undefined || more.length > 0) return ['there must be exactly one strategy()']
  const wrong = Object.entries(vocabulary.declaration).filter(
    ([name, value]) => first.named.get(name) !== value,
  )
  const costs = 'initial_capital default_qty_type default_qty_value commission_type commission_value slippage'
  const missing = costs.split(' ').filter((name) => !first.named.has(name))
  return [
    ...wrong.map(([name, value]) => `strategy(): ${name} must be ${value}`),
    ...missing.map((name) => `strategy(): ${name} is missing`),
  ]
}

function inputFaults(calls: readonly PineCall[]): string[] {
  const inputs = calls.filter(({ name }) => name.startsWith('input.'))
  return inputs.flatMap(({ name, line, positional, named }) => {
    const wanted = /int|float/.test(name) ? ['group', 'tooltip', 'minval'] : ['group', 'tooltip']
    const missing = wanted.filter((argument) => !named.has(argument))
    const isSecret = /secret|token|password|licen|\bkey\b/i.test(positional[1] ?? '')
    return [
      ...missing.map((argument) => `line ${line}: input without ${argument}`),
      ...(isSecret ? [`line ${line}: a secret does not belong in a script`] : []),
    ]
  })
}

function messageFaults(lines: readonly PineLine[]): string[] {
  const annotation = '//@strategy_alert_message {{strategy.order.alert_message}}'
  const filled = lines.filter(({ text }) => text === annotation).length
  return filled === 1 ? [] : [`"${annotation}" must stand in the script once`]
}
