import { isIPv4, isIPv6 } from 'node:net'
import type { Config } from '#server/settings/config.ts'
import { isLoopback } from '#server/settings/loopback.ts'
import type { CheckContext, DnsRecord, Finding, Outcome, Subject } from '../finding.ts'
import { lookUpTxt } from './dns-records.ts'

const maxLookups = 10 // RFC 7208 4.6.4
/** No sender has a wider network. An IPv4 network of this one has 17 million addresses. */
const minPrefix = 8

/** A mechanism says who may send; a modifier, such as redirect=, has no qualifier. */
interface Term {
  text: string
  /** `+`: these servers may send. */
  qualifier: string
  /** `ip4`, `include`, `redirect`. */
  name: string
  /** `192.0.2.0` of `ip4:192.0.2.0/24`. */
  value: string
  /** The lengths of the networks: one for IPv4, then one for IPv6. */
  prefixes: number[]
}

export async function checkSpf(
  context: Pick<CheckContext, 'config' | 'resolveTxt'>,
  about: Subject,
): Promise<Outcome> {
  const domain = context.config.senderDomain
  if (isLoopback(domain)) return []
  const records = (await lookUpTxt(context, domain)).filter((one) => /^v=spf1(?: |$)/i.test(one))
  const [record] = records
  if (record === undefined) {
    return about.look(
      `${domain} has no SPF record.`,
      'Publish this one. If your relay names a different term for the middle, use that.',
      suggestedRecord(domain, context.config),
    )
  }
  if (records.length > 1) {
    return about.wrong(
      `${domain} has ${records.length} SPF records; with more than one, none counts.`,
      'Merge them: v=spf1, then the terms of all, and one -all or ~all at the end.',
    )
  }
  const it = `The SPF record of ${domain}`
  const terms = record.toLowerCase().trim().split(/ +/).slice(1).map(readTerm)
  return (
    faultOfForm(it, terms, about) ??
    faultOfSenders(it, terms, about) ??
    checkEnding(it, terms, about)
  )
}

function readTerm(text: string): Term {
  const [, qualifier = '', name = '', value = '', prefixes = ''] =
    /^([+\-~?]?)([a-z][\w.-]*)[:=]?(.*?)((?:\/\d+)?(?:\/\/\d+)?)$/.exec(text) ?? []
  const numbers = prefixes.split('/').filter((part) => part !== '')
  return { text, qualifier: qualifier || '+', name, value, prefixes: numbers.map(Number) }
}

/** Terms that cost a receiver a DNS query. What they include costs more, and is not looked up. */
const queries = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])
const mechanisms = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'])

/** Receivers give up at a record that they cannot read, or that asks for too much. */
function faultOfForm(it: string, terms: readonly Term[], { wrong }: Subject): Finding | undefined {
  const unknown = terms.find((term) => !isReadable(term))
  if (unknown) {
    return wrong(
      `${it} has "${unknown.text}", which receivers cannot read, so none of it counts.`,
      'Correct or remove that term.',
    )
  }
  const lookups = countLookups(terms)
  if (lookups <= maxLookups) return undefined
  return wrong(
    `${it} costs ${lookups} or more DNS queries; after ${maxLookups} receivers give up.`,
    'Remove services you no longer send with. ' +
      'Each include, a, mx, exists and redirect counts, also inside includes.',
  )
}

function isReadable({ text, name, value, prefixes }: Term): boolean {
  const [prefix = 0] = prefixes
  if (name === 'ip4') return isIPv4(value) && prefix <= 32
  if (name === 'ip6') return isIPv6(value) && prefix <= 128
  if (name === 'include' || name === 'exists') return value !== ''
  // Unknown modifiers are allowed and ignored (RFC 7208 6).
  return mechanisms.has(name) || /^[a-z][\w.-]*=/.test(text)
}

function countLookups(terms: readonly Term[]): number {
  return terms.filter(({ name }) => queries.has(name)).length
}

/** Finds a record by which everybody may send, or nobody. */
function faultOfSenders(
  it: string,
  terms: readonly Term[],
  { wrong }: Subject,
): Finding | undefined {
  const end = terms.findIndex(({ name }) => name === 'all')
  const all = terms[end]
  if (all?.qualifier === '+') {
    return wrong(`${it} ends in +all: everybody may send as you.`, 'End it in ~all or -all.')
  }
  // A mechanism after "all" is ignored, and so is a redirect.
  const before = all ? terms.slice(0, end) : terms
  const passing = before.filter(({ name, qualifier }) => qualifier === '+' && mechanisms.has(name))
  const wide = passing.find(({ prefixes }) => prefixes.some((prefix) => prefix < minPrefix))
  if (wide) {
    return wrong(
      `${it} has ${wide.text}: a large part of the internet may send as you.`,
      'Name the servers that send your mail, and no others.',
    )
  }
  if (passing.length === 0 && !isRedirected(before)) {
    return wrong(
      `${it} names no server that may send.`,
      'Add the term that your relay names, such as include:…, before the end.',
    )
  }
  return undefined
}

function checkEnding(it: string, terms: readonly Term[], { ok, look }: Subject): Finding {
  const all = terms.find(({ name }) => name === 'all')
  if (all?.qualifier === '?' || (!all && !isRedirected(terms))) {
    return look(
      `${it} says nothing about servers it does not name (no ~all or -all).`,
      'End it in ~all or -all.',
    )
  }
  const cost = `costs ${countLookups(terms)} of ${maxLookups} queries, not counting those of its includes`
  return ok(`${it} ends in ${all?.text ?? 'a redirect'} and ${cost}.`)
}

function isRedirected(terms: readonly Term[]): boolean {
  return terms.some(({ name }) => name === 'redirect')
}

/** From the documentation of the big relays. For other relays, the host that accepts our mail. */
const relays = [
  { ending: '.amazonaws.com', term: 'include:amazonses.com' },
  { ending: '.gmail.com', term: 'include:_spf.google.com' },
  { ending: '.office365.com', term: 'include:spf.protection.outlook.com' },
  { ending: '.mailgun.org', term: 'include:mailgun.org' },
  { ending: '.sendgrid.net', term: 'include:sendgrid.net' },
  { ending: '.resend.com', term: 'include:amazonses.com' },
  { ending: '.postmarkapp.com', term: 'include:spf.mtasv.net' },
]

function suggestedRecord(
  domain: string,
  { smtpUrl, mailApi, publicUrl }: Pick<Config, 'smtpUrl' | 'mailApi' | 'publicUrl'>,
): DnsRecord {
  const relay = new URL(mailApi?.baseUrl ?? smtpUrl ?? publicUrl).hostname
  const host = isLoopback(relay) ? new URL(publicUrl).hostname : relay
  const known = relays.find(({ ending }) => host.endsWith(ending))?.term
  return { name: domain, type: 'TXT', value: `v=spf1 ${known ?? termFor(host)} ~all` }
}

function termFor(host: string): string {
  if (isIPv4(host)) return `ip4:${host}`
  return host.startsWith('[') ? `ip6:${host.slice(1, -1)}` : `a:${host}`
}
