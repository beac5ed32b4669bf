import { isIP, isIPv4 } from 'node:net'
import type { CommandContext } from '../../command-line/command-context.ts'
import type { Config } from '#server/configuration/config.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import type { CheckContext, DnsRecord, Finding, Outcome, Subject } from '../finding.ts'
import { lookUpTxt } from './look-up-txt.ts'

const maxLookups = 10 // RFC 7208 4.6.4

export async function checkSpf({ config, resolveTxt }: CheckContext, about: Subject): Promise<Outcome> {
  const domain = config.senderDomain
  if (isLoopback(domain)) return []
  const [record, ...more] = (await lookUpTxt(resolveTxt, domain)).filter(isSpf)
  if (record === undefined)
    return about.look(
      `${domain} has no SPF record.`,
      'Publish this one. If your relay names another term than the one in the middle, use that.',
      suggestedRecord(domain, config),
    )
  if (more.length > 0)
    return about.wrong(
      `${domain} has ${more.length + 1} SPF records; with more than one, none counts.`,
      'Merge them: v=spf1, then the terms of all, and one -all or ~all at the end.',
    )
  const reading = await readSpf(record, resolveTxt)
  const faults = faultsOf(`The SPF record of ${domain}`, record, reading, about)
  if (faults.length > 0) return faults
  return about.ok(
    `${domain} has an SPF record; it ends in ${reading.all}all and costs ${reading.lookups} of ${maxLookups} queries.`,
  )
}

function faultsOf(
  it: string,
  record: string,
  { faults, lookups, all, usesPtr }: SpfReading,
  { look, wrong }: Subject,
): Finding[] {
  const fix = 'End it in ~all or -all.'
  const found = [
    faults.length > 0 &&
      wrong(
        `${it} is broken: ${faults.join(', ')}. Receivers then ignore all of it.`,
        `Correct it. It is now: ${record}`,
      ),
    lookups > maxLookups &&
      wrong(
        `${it} costs ${lookups} or more DNS queries; after ${maxLookups} receivers give up.`,
        'Remove services you no longer send with. Each include, a, mx, exists and redirect counts, also inside includes.',
      ),
    all === '+' && wrong(`${it} ends in +all: everybody may send as you.`, fix),
    (all === '?' || all === undefined) &&
      look(`${it} says nothing about servers it does not name (no ~all or -all).`, fix),
    usesPtr && look(`${it} uses ptr, which many receivers ignore.`, 'Name servers by a, mx or ip4.'),
  ]
  return found.filter((one) => one !== false)
}

/** From the documentation of the big relays. For other relays, the host that accepts our mail. */
const relays: readonly [ending: string, term: string][] = [
  ['.amazonaws.com', 'include:amazonses.com'],
  ['.gmail.com', 'include:_spf.google.com'],
  ['.office365.com', 'include:spf.protection.outlook.com'],
  ['.mailgun.org', 'include:mailgun.org'],
  ['.sendgrid.net', 'include:sendgrid.net'],
  ['.resend.com', 'include:amazonses.com'],
  ['.postmarkapp.com', 'include:spf.mtasv.net'],
]

function suggestedRecord(domain: string, { smtpUrl, mailApi, publicUrl }: Config): DnsRecord {
  const relay = new URL(mailApi?.baseUrl ?? smtpUrl ?? publicUrl).hostname
  const host = isLoopback(relay) ? new URL(publicUrl).hostname : relay
  const term = relays.find(([ending]) => host.endsWith(ending))?.[1] ?? termFor(host)
  return { name: domain, type: 'TXT', value: `v=spf1 ${term} ~all` }
}

function termFor(host: string): string {
  if (isIPv4(host)) return `ip4:${host}`
  return host.startsWith('[') ? `ip6:${host.slice(1, -1)}` : `a:${host}`
}

interface SpfReading {
  /** Invalid terms, for which receivers reject the whole record (RFC 7208 4.6). */
  faults: string[]
  /** The sign of the record's policy for all servers it does not name. Undefined: none. */
  all: string | undefined
  usesPtr: boolean
  /** DNS queries that a receiver needs, including those of included records. */
  lookups: number
}

const queries = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])
/** Ends a loop of includes. */
const endOfLookups = 30

/**
 * Reads what a record says and what it costs a receiver (RFC 7208), but compares no addresses. `where` names an included
 * record in errors.
 */
async function readSpf(
  record: string,
  resolveTxt: CommandContext['resolveTxt'],
  reading: SpfReading = { faults: [], all: undefined, usesPtr: false, lookups: 0 },
  where = '',
): Promise<SpfReading> {
  const terms = record.toLowerCase().split(/ +/).slice(1).filter(Boolean).map(parseTerm)
  const end = terms.findIndex(({ name }) => name === 'all')
  for (const [place, { sign, name, value }] of terms.entries()) {
    if (!isValid(name + value)) reading.faults.push(name + value + where)
    if (end >= 0 && (place > end || name === 'redirect')) continue
    if (name === 'ptr') reading.usesPtr = true
    if (name === 'all') reading.all = sign || '+'
    if (queries.has(name)) reading.lookups += 1
    if (name !== 'include' && name !== 'redirect') continue
    const target = value.slice(1)
    if (reading.lookups > endOfLookups || target.includes('%')) continue // a macro is known only with the mail
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

function isSpf(record: string): boolean {
  return /^v=spf1(?: |$)/i.test(record)
}

function parseTerm(text: string) {
  const [, sign = '', name = '', value = ''] = /^([+\-~?]?)([^:=/]*)(.*)$/.exec(text) ?? []
  return { sign, name, value }
}

/** Mechanisms without an IP address, and modifiers: redirect, exp, or one to ignore. */
const validTerm =
  /^(?:all|(?:a|mx)(?::[^/]+)?(?:\/\d+)?(?:\/\/\d+)?|ptr(?::.+)?|(?:include|exists):.+|[\w.-]+=.*)$/

function isValid(term: string): boolean {
  const [, version, address = '', bits = '0'] = /^ip([46]):([^/]+)(?:\/(\d+))?$/.exec(term) ?? []
  if (version === undefined) return validTerm.test(term)
  return isIP(address) === Number(version) && Number(bits) <= (version === '4' ? 32 : 128)
}
