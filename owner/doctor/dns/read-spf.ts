import { isIPv4, isIPv6 } from 'node:net'
import type { CommandContext } from '../../command-line/command-context.ts'
import { lookUpTxt } from './look-up-txt.ts'

export interface SpfReading {
  /** Invalid terms, for which receivers reject the whole record (RFC 7208 4.6). */
  faults: string[]
  /** The record's policy for all servers it does not name. Undefined: none. */
  all: '+' | '-' | '~' | '?' | undefined
  usesPtr: boolean
  /** DNS queries that a receiver needs, including those of included records. */
  lookups: number
  /** Included names whose record could not be looked up. */
  unresolved: string[]
}

interface Term {
  qualifier: '+' | '-' | '~' | '?'
  name: string
  value: string
}

const queries = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])
/** Ends a loop of includes. More than ten is too many anyway. */
const maxLookups = 30

/** Reads what a record says and what it costs a receiver (RFC 7208), but compares no addresses. */
export async function readSpf(record: string, resolveTxt: CommandContext['resolveTxt']): Promise<SpfReading> {
  const reading: SpfReading = { faults: [], all: undefined, usesPtr: false, lookups: 0, unresolved: [] }
  await readInto(reading, record, '', resolveTxt)
  return reading
}

export function isSpf(record: string): boolean {
  return /^v=spf1(?: |$)/i.test(record)
}

/** `where` names the included record in errors. */
async function readInto(
  reading: SpfReading,
  record: string,
  where: string,
  resolveTxt: CommandContext['resolveTxt'],
): Promise<void> {
  const terms = record.split(/ +/).slice(1).filter(Boolean).map(parseTerm)
  const end = terms.findIndex(({ name }) => name === 'all')
  for (const [place, term] of terms.entries()) {
    if (!isKnown(term)) reading.faults.push(term.name + term.value + where)
    if (end >= 0 && (place > end || term.name === 'redirect')) continue
    if (term.name === 'ptr') reading.usesPtr = true
    if (term.name === 'all') reading.all = term.qualifier
    if (queries.has(term.name)) reading.lookups += 1
    if (term.name === 'include' || term.name === 'redirect') await follow(reading, term, resolveTxt)
  }
}

async function follow(reading: SpfReading, { name, value }: Term, resolveTxt: CommandContext['resolveTxt']) {
  const target = value.slice(1)
  if (reading.lookups > maxLookups || target.includes('%')) return // a macro is known only with the mail
  const found = await lookUpTxt(resolveTxt, target)
  if (found.kind === 'unknown') return void reading.unresolved.push(target)
  const record = found.records.find(isSpf)
  if (record === undefined) return void reading.faults.push(`${name}${value} (there is no SPF record)`)
  const { all } = reading
  await readInto(reading, record, ` (in the record of ${target})`, resolveTxt)
  if (name === 'include') reading.all = all // the `all` of an included record does not count
}

function parseTerm(text: string): Term {
  const [, sign = '+', name = '', value = ''] = /^([+\-~?]?)([^:=/]*)(.*)$/.exec(text.toLowerCase()) ?? []
  return { qualifier: (sign || '+') as Term['qualifier'], name, value } // the pattern allows no other
}

function isKnown({ name, value }: Term): boolean {
  switch (name) {
    case 'all':
      return value === ''
    case 'a':
    case 'mx':
      return /^(?::[^/]+)?(?:\/\d+)?(?:\/\/\d+)?$/.test(value)
    case 'ptr':
      return /^(?::.+)?$/.test(value)
    case 'include':
    case 'exists':
      return /^:.+$/.test(value)
    case 'ip4':
      return isNetwork(value, isIPv4, 32)
    case 'ip6':
      return isNetwork(value, isIPv6, 128)
    default:
      return name !== '' && value.startsWith('=') // a modifier: redirect, exp, or one to ignore
  }
}

function isNetwork(value: string, isAddress: (text: string) => boolean, maxBits: number): boolean {
  const [, address = '', bits] = /^:([^/]+)(?:\/(\d+))?$/.exec(value) ?? []
  return isAddress(address) && Number(bits ?? maxBits) <= maxBits
}
