import { isIPv4, isIPv6 } from 'node:net'
import type { CommandContext } from '../../command-line/command-context.ts'
import { lookUpTxt } from './look-up-txt.ts'

export interface SpfReading {
  /** Invalid terms, for which receivers reject the whole record (RFC 7208 4.6). */
  faults: string[]
  /** The sign of the record's policy for all servers it does not name. Undefined: none. */
  all: string | undefined
  usesPtr: boolean
  /** DNS queries that a receiver needs, including those of included records. */
  lookups: number
}

const queries = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])
/** Ends a loop of includes. More than ten is too many anyway. */
const maxLookups = 30

/**
 * Reads what a record says and what it costs a receiver (RFC 7208), but compares no addresses. `where` names an included
 * record in errors.
 */
export async function readSpf(
  record: string,
  resolveTxt: CommandContext['resolveTxt'],
  reading: SpfReading = { faults: [], all: undefined, usesPtr: false, lookups: 0 },
  where = '',
): Promise<SpfReading> {
  const terms = record.toLowerCase().split(/ +/).slice(1).filter(Boolean).map(parseTerm)
  const end = terms.findIndex(({ name }) => name === 'all')
  for (const [place, { sign, name, value }] of terms.entries()) {
    if (!isValid(name, value)) reading.faults.push(name + value + where)
    if (end >= 0 && (place > end || name === 'redirect')) continue
    if (name === 'ptr') reading.usesPtr = true
    if (name === 'all') reading.all = sign || '+'
    if (queries.has(name)) reading.lookups += 1
    if (name !== 'include' && name !== 'redirect') continue
    const target = value.slice(1)
    if (reading.lookups > maxLookups || target.includes('%')) continue // a macro is known only with the mail
    const included = (await lookUpTxt(resolveTxt, target)).find(isSpf)
    if (included === undefined) reading.faults.push(`${name}${value} (there is no SPF record)`)
    else {
      const { all } = reading
      await readSpf(included, resolveTxt, reading, ` (in the record of ${target})`)
      if (name === 'include') reading.all = all // the `all` of an included record does not count
    }
  }
  return reading
}

export function isSpf(record: string): boolean {
  return /^v=spf1(?: |$)/i.test(record)
}

function parseTerm(text: string) {
  const [, sign = '', name = '', value = ''] = /^([+\-~?]?)([^:=/]*)(.*)$/.exec(text) ?? []
  return { sign, name, value }
}

const hostForm = /^(?::[^/]+)?(?:\/\d+)?(?:\/\/\d+)?$/
const forms = new Map([
  ['all', /^$/],
  ['a', hostForm],
  ['mx', hostForm],
  ['ptr', /^(?::.+)?$/],
  ['include', /^:.+$/],
  ['exists', /^:.+$/],
])

function isValid(name: string, value: string): boolean {
  if (name !== 'ip4' && name !== 'ip6') return name !== '' && (forms.get(name) ?? /^=/).test(value) // a modifier: redirect, exp, or one to ignore
  const [, address = '', bits] = /^:([^/]+)(?:\/(\d+))?$/.exec(value) ?? []
  return name === 'ip4'
    ? isIPv4(address) && Number(bits ?? 32) <= 32
    : isIPv6(address) && Number(bits ?? 128) <= 128
}
