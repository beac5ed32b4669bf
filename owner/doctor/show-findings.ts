import { styleText } from 'node:util'
import { Help } from 'commander'
import { counted, plainText } from '../command-line/output.ts'
import type { Finding, State } from './finding.ts'

const columns = 80
const labels: Record<State, string> = { ok: 'ok', look: 'LOOK', wrong: 'WRONG', unknown: 'unknown' }
const colors = { ok: 'green', look: 'yellow', wrong: 'red', unknown: 'dim' } as const
const labelWidth = 9
const indent = ' '.repeat(labelWidth)

/** At most 80 columns wide. */
export function showFinding({ state, what, why, advice, record }: Finding): string {
  const label = styleText(colors[state], labels[state].padEnd(labelWidth))
  const parts = [wrap(what, indent)]
  if (state === 'look' || state === 'wrong') parts.push(`${indent}Why  ${wrap(why, `${indent}     `)}`)
  if (advice !== undefined) parts.push(`${indent}Do   ${wrap(advice, `${indent}     `)}`)
  // Not wrapped, so that it can be copied whole.
  for (const [name, value] of Object.entries(record ?? {}))
    parts.push(`${indent}     ${`${name}:`.padEnd(7)}${plainText(value)}`)
  return `${label}${parts.join('\n')}\n`
}

/** The number of findings of each state, the wrong ones first. */
export function showSummary(findings: readonly Finding[]): string {
  const count = (state: State) => findings.filter((one) => one.state === state).length
  const wrong = count('wrong')
  const verdict = `${wrong === 0 ? 'Nothing is' : counted(wrong, 'thing is', 'things are')} wrong`
  return `\n${verdict}. ${count('ok')} ok, ${count('look')} to look at, ${count('unknown')} unknown.\n`
}

/** Some texts, such as a relay's reply, have line breaks. */
function wrap(text: string, hanging: string): string {
  const oneLine = plainText(text.replaceAll(/[\r\n]+/g, ' '))
  return new Help().boxWrap(oneLine, columns - hanging.length).replaceAll('\n', `\n${hanging}`)
}
