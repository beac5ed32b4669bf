import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { Config } from '#server/settings/config.ts'
import { isLoopback } from '#server/settings/hosts.ts'
import type { CheckContext, Outcome } from '../check-context.ts'
import { about, type Condition } from '../condition.ts'
import { readMailProof } from '../mail-service/mail-proof.ts'
import { organizationOf } from '../organization.ts'
import { lookUpIpv4, lookUpTxt } from './dns-records.ts'

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

const judged = about('dns.spf')

export async function checkSpf(context: CheckContext): Promise<Outcome> {
  const domain = context.config.senderDomain
  if (isLoopback(domain)) return []
  const relay = relayOf(context.config)
  const records = await spfRecords(context, domain)
  const [record] = records
  if (record === undefined) {
    const proof = await readMailProof(context)
    if (proof?.spf === 'pass') {
      return judged.fine(
        `${proof.receiver} found your mail in the SPF record of your mail service.`,
      )
    }
    return judged.warning(
      `${domain} has no SPF record.`,
      'Publish this one at your DNS provider. If your mail service names another term for the middle, use that.',
      { record: { name: domain, type: 'TXT', value: `v=spf1 ${termOf(relay)} ~all` } },
    )
  }
  if (records.length > 1) {
    return judged.error(
      `${domain} has ${records.length} SPF records; with more than one, none counts.`,
      'Merge them: v=spf1, then the terms of all, and one -all or ~all at the end.',
    )
  }
  const it = `The SPF record of ${domain}`
  const terms = termsOf(record)
  return (
    faultOfForm(it, terms) ??
    faultOfSenders(it, terms) ??
    (await faultOfRelay(context, { record, terms, relay })) ??
    checkEnding(it, terms)
  )
}

async function spfRecords(context: CheckContext, domain: string): Promise<string[]> {
  const found = await lookUpTxt(context, domain)
  return found.filter((one) => /^v=spf1(?: |$)/i.test(one))
}

function termsOf(record: string): Term[] {
  return record.toLowerCase().trim().split(/ +/).slice(1).map(readTerm)
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
function faultOfForm(it: string, terms: readonly Term[]): Condition | undefined {
  const unknown = terms.find((term) => !isReadable(term))
  if (unknown) {
    return judged.error(
      `${it} has "${unknown.text}", which receivers cannot read, so none of it counts.`,
      'Correct or remove that term.',
    )
  }
  const lookups = countLookups(terms)
  if (lookups <= maxLookups) return undefined
  return judged.error(
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
function faultOfSenders(it: string, terms: readonly Term[]): Condition | undefined {
  const end = terms.findIndex(({ name }) => name === 'all')
  const all = terms[end]
  if (all?.qualifier === '+') {
    return judged.error(`${it} ends in +all: everybody may send as you.`, 'End it in ~all or -all.')
  }
  // A mechanism after "all" is ignored, and so is a redirect.
  const before = all ? terms.slice(0, end) : terms
  const passing = before.filter(({ name, qualifier }) => qualifier === '+' && mechanisms.has(name))
  const wide = passing.find(({ prefixes }) => prefixes.some((prefix) => prefix < minPrefix))
  if (wide) {
    return judged.error(
      `${it} has ${wide.text}: a large part of the internet may send as you.`,
      'Name the servers that send your mail, and no others.',
    )
  }
  if (passing.length === 0 && !isRedirected(before)) {
    return judged.error(
      `${it} names no server that may send.`,
      'Add the term that your relay names, such as include:…, before the end.',
    )
  }
  return undefined
}

function checkEnding(it: string, terms: readonly Term[]): Condition {
  const all = terms.find(({ name }) => name === 'all')
  if (all?.qualifier === '?' || (!all && !isRedirected(terms))) {
    return judged.warning(
      `${it} says nothing about servers it does not name (no ~all or -all).`,
      'End it in ~all or -all.',
    )
  }
  const cost = `costs ${countLookups(terms)} of ${maxLookups} queries, not counting those of its includes`
  return judged.fine(`${it} ends in ${all?.text ?? 'a redirect'} and ${cost}.`)
}

function isRedirected(terms: readonly Term[]): boolean {
  return terms.some(({ name }) => name === 'redirect')
}

/** Terms from the documentation of big services. Another gets the host that takes our mail. */
const services = [
  { ending: '.amazonaws.com', term: 'include:amazonses.com' },
  { ending: '.gmail.com', term: 'include:_spf.google.com' },
  { ending: '.office365.com', term: 'include:spf.protection.outlook.com' },
  { ending: '.mailgun.org', term: 'include:mailgun.org' },
  { ending: '.sendgrid.net', term: 'include:sendgrid.net' },
  { ending: '.resend.com', term: 'include:amazonses.com' },
  { ending: '.postmarkapp.com', term: 'include:spf.mtasv.net' },
]

/** The host through which mail leaves: of a mail server on this machine, that of the page. */
function relayOf({ smtpUrl, mailApi, publicUrl }: Config): string {
  const relay = new URL(mailApi?.baseUrl ?? smtpUrl ?? publicUrl).hostname
  return isLoopback(relay) ? new URL(publicUrl).hostname : relay
}

function termOf(relay: string): string {
  const known = services.find(({ ending }) => relay.endsWith(ending))
  if (known) return known.term
  if (isIPv4(relay)) return `ip4:${relay}`
  return relay.startsWith('[') ? `ip6:${relay.slice(1, -1)}` : `a:${relay}`
}

interface Published {
  record: string
  terms: readonly Term[]
  relay: string
}

/** A record that does not name the service in use says that its mail is forged. */
async function faultOfRelay(
  context: CheckContext,
  { record, terms, relay }: Published,
): Promise<Condition | undefined> {
  if (isLoopback(relay)) return undefined // nothing leaves this machine
  const domain = context.config.senderDomain
  const all = await withIncluded(context, terms)
  const addresses = isIPv4(relay) ? [relay] : await lookUpIpv4(context, relay)
  if (all.some((term) => namesRelay(term, { domain, relay, addresses }))) return undefined
  const proof = await readMailProof(context)
  if (proof?.spf === 'pass') return undefined
  const added = termOf(relay)
  return judged.warning(
    `The SPF record of ${domain} does not name ${relay}, through which your mail goes.`,
    'Publish this one instead. If your mail service names another term, or another domain for it, use that.',
    {
      record: { name: domain, type: 'TXT', value: record.replace(/^v=spf1/i, `v=spf1 ${added}`) },
    },
  )
}

/** The terms of a record, and of all that it includes, as far as receivers read. */
async function withIncluded(context: CheckContext, own: readonly Term[]): Promise<Term[]> {
  const all = [...own]
  const seen = new Set<string>()
  for (const { name, value } of all) {
    if ((name !== 'include' && name !== 'redirect') || seen.has(value)) continue
    if (seen.size === maxLookups) break
    seen.add(value)
    const [record] = await spfRecords(context, value)
    if (record !== undefined) all.push(...termsOf(record))
  }
  return all
}

interface Relay {
  /** The sender's. */
  domain: string
  relay: string
  /** IPv4, of the relay. */
  addresses: readonly string[]
}

function namesRelay(
  { text, qualifier, name, value, prefixes }: Term,
  { domain, relay, addresses }: Relay,
): boolean {
  if (qualifier !== '+') return false
  if (text.replace(/^\+/, '') === termOf(relay)) return true
  if (name === 'ip4') {
    const network = new BlockList()
    network.addSubnet(value, prefixes[0] ?? 32)
    return addresses.some((address) => network.check(address))
  }
  const namesHosts = ['include', 'a', 'mx', 'exists', 'redirect'].includes(name)
  return namesHosts && organizationOf(value === '' ? domain : value) === organizationOf(relay)
}
