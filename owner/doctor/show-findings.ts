import { styleText } from 'node:util'
import { plainText } from '../command-line/plain-text.ts'
import { wrapped } from '../command-line/wrapped.ts'
import type { Finding, State } from './finding.ts'

const columns = 80
const signs: Record<State, string> = { ok: 'ok', look: 'LOOK', wrong: 'WRONG', unknown: 'unknown' }
const colours = { ok: 'green', look: 'yellow', wrong: 'red', unknown: 'dim' } as const
const signWidth = 9
const margin = '  '
const indent = margin + ' '.repeat(signWidth)
const textWidth = columns - indent.length

/** One section under its name, each line at most as long as a terminal is wide. */
export function showSection(name: string, findings: readonly Finding[], hasColours: boolean): string {
  if (findings.length === 0) return ''
  const title = hasColours ? inStyle('bold', name) : name
  return `${title}\n${findings.map((finding) => show(finding, hasColours)).join('')}\n`
}

/** How many of each state; whether anything is wrong comes first. */
export function showSummary(findings: readonly Finding[]): string {
  const count = (state: State) => findings.filter((one) => one.state === state).length
  const wrong = count('wrong')
  const verdict =
    wrong === 0 ? 'Nothing is wrong' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong`
  return `${verdict}. ${count('ok')} ok, ${count('look')} to look at, ${count('unknown')} unknown.\n`
}

function show({ state, what, why, advice, record }: Finding, hasColours: boolean): string {
  const sign = signs[state].padEnd(signWidth)
  const [first = '', ...rest] = wrapped(printable(what), textWidth)
  const lines = [first, ...rest.map((line) => indent + line)]
  if (state === 'look' || state === 'wrong') lines.push(...labelled('Why', why))
  if (advice !== undefined) lines.push(...labelled('Do', advice))
  // To be copied whole: a line of it is never broken.
  if (record)
    lines.push(
      ...Object.entries(record).map(
        ([name, value]) => `${indent}     ${`${name}:`.padEnd(7)}${plainText(value)}`,
      ),
    )
  return `${margin}${hasColours ? inStyle(colours[state], sign) : sign}${lines.join('\n')}\n`
}

/** A relay's reply has lines of its own. */
function printable(text: string): string {
  return plainText(text.replaceAll(/[\r\n]+/g, ' '))
}

function labelled(label: string, text: string): string[] {
  const width = 'Why  '.length
  const [first = '', ...rest] = wrapped(printable(text), textWidth - width)
  return [`${indent}${label.padEnd(width)}${first}`, ...rest.map((line) => indent + ' '.repeat(width) + line)]
}

function inStyle(style: (typeof colours)[State] | 'bold', text: string): string {
  return styleText(style, text, { validateStream: false })
}
