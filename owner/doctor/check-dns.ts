import { createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import { getDomain } from 'tldts'
import type { Config } from '#server/configuration/config.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import { CommandError } from '../command-line/command-context.ts'
import type { CheckContext, DnsRecord, Outcome, Subject } from './finding.ts'

const maxLookups = 10 // RFC 7208 4.6.4
/**
 * Terms that cost a receiver a DNS query. What they include costs more, and is not looked up here.
 */
const queries = /^[+\-~?]?(?:include:|a(?:$|[:/])|mx(?:$|[:/])|ptr(?:$|:)|exists:|redirect=)/

export async function checkSpf(
  context: CheckContext,
  { ok, look, wrong }: Subject,
): Promise<Outcome> {
  const domain = context.config.senderDomain
  if (isLoopback(domain)) return []
  const [record, ...more] = (await lookUpTxt(context, domain)).filter((one) =>
    /^v=spf1(?: |$)/i.test(one),
  )
  if (record === undefined) {
    return look(
      `${domain} has no SPF record.`,
      'Publish this one. If your relay names another term than the one in the middle, use that.',
      suggestedRecord(domain, context.config),
    )
  }
  if (more.length > 0) {
    return wrong(
      `${domain} has ${more.length + 1} SPF records; with more than one, none counts.`,
      'Merge them: v=spf1, then the terms of all, and one -all or ~all at the end.',
    )
  }
  const it = `The SPF record of ${domain}`
  const terms = record.toLowerCase().split(/ +/).slice(1)
  const lookups = terms.filter((term) => queries.test(term)).length
  const all = terms.find((term) => /^[+\-~?]?all$/.test(term))
  if (lookups > maxLookups) {
    return wrong(
      `${it} costs ${lookups} or more DNS queries; after ${maxLookups} receivers give up.`,
      'Remove services you no longer send with. Each include, a, mx, exists and redirect counts, also inside includes.',
    )
  }
  if (all === 'all' || all === '+all') {
    return wrong(`${it} ends in +all: everybody may send as you.`, 'End it in ~all or -all.')
  }
  if (
    all === '?all' ||
    (all === undefined && !terms.some((term) => term.startsWith('redirect=')))
  ) {
    return look(
      `${it} says nothing about servers it does not name (no ~all or -all).`,
      'End it in ~all or -all.',
    )
  }
  return ok(
    `${it} ends in ${all ?? 'a redirect'} and costs ${lookups} of ${maxLookups} queries, beside those of its includes.`,
  )
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
  const known = relays.find(([ending]) => host.endsWith(ending))?.[1]
  const term = known ?? termFor(host)
  return { name: domain, type: 'TXT', value: `v=spf1 ${term} ~all` }
}

function termFor(host: string): string {
  if (isIPv4(host)) return `ip4:${host}`
  return host.startsWith('[') ? `ip6:${host.slice(1, -1)}` : `a:${host}`
}

export async function checkDkim(context: CheckContext, about: Subject): Promise<Outcome> {
  const { ok, look, wrong } = about
  const { dkim, senderDomain } = context.config
  if (isLoopback(senderDomain)) return []
  if (!dkim) {
    return about.unknown(
      'The relay has to sign mail (DKIM), which cannot be seen from here.',
      'Send yourself a test (doctor --send-test ADDRESS) and look for dkim=pass in its headers. If it is missing, switch signing on at the relay, or set the three DKIM_… variables.',
    )
  }
  const { domain, selector, privateKey } = dkim
  // Relaxed alignment: one registered domain (RFC 7489 3.1.1).
  if (organizationOf(senderDomain) !== organizationOf(domain)) {
    return wrong(
      `MAIL_FROM is at ${senderDomain}, but DKIM_DOMAIN is ${domain}: the signature does not count for the sender.`,
      `Set DKIM_DOMAIN to ${senderDomain} or ${organizationOf(senderDomain)}, or MAIL_FROM to an address of ${domain}.`,
    )
  }
  const name = `${selector}._domainkey.${domain}`
  const key = createPublicKey(privateKey)
  const [ours, older] = (['spki', 'pkcs1'] as const).map((type) =>
    key.export({ type, format: 'der' }).toString('base64'),
  )
  const record = { name, type: 'TXT', value: `v=DKIM1; k=rsa; p=${ours}` } as const
  const advice = 'Publish this record; a zone file wants it in pieces of at most 255 characters.'
  const found = (await lookUpTxt(context, name)).map(tagsOf).filter((tags) => tags.has('p'))
  const keys = found.map((tags) => tags.get('p')!.replaceAll(/\s/g, ''))
  if (keys.length === 0) {
    return wrong(`The DKIM key is not published: ${name} has no record.`, advice, record)
  }
  if (!keys.every((one) => one === ours || one === older)) {
    return wrong(
      `${name} has another key than ours, or one that is revoked.`,
      'Keep this record alone.',
      record,
    )
  }
  if (found.some((tags) => (tags.get('t') ?? '').split(':').includes('y'))) {
    return look(`${name} says t=y: receivers treat our signature as a test.`, 'Remove t=y.', record)
  }
  return ok(`Our DKIM key is published at ${name}.`)
}

const effects = new Map([
  ['none', 'receivers only report'],
  ['quarantine', 'forged mail lands in spam'],
  ['reject', 'forged mail is refused'],
])

export async function checkDmarc(
  context: CheckContext,
  { ok, look, wrong }: Subject,
): Promise<Outcome> {
  const domain = context.config.senderDomain
  if (isLoopback(domain)) return []
  // Receivers ask the domain itself, then the registered domain (RFC 7489 6.6.3).
  for (const asked of new Set([domain, organizationOf(domain)])) {
    const name = `_dmarc.${asked}`
    const found = (await lookUpTxt(context, name)).filter((one) => /^v=DMARC1\s*(?:;|$)/.test(one))
    const [record, ...more] = found.map(tagsOf)
    if (!record) continue
    const policy = (
      (asked === domain ? undefined : record.get('sp')) ??
      record.get('p') ??
      ''
    ).toLowerCase()
    const effect = effects.get(policy)
    if (more.length > 0 || effect === undefined) {
      return wrong(
        `${name} must have one DMARC record with a policy that receivers know (none, quarantine, reject).`,
        'Publish this one in their place.',
        suggested(asked),
      )
    }
    return ok(`The DMARC record at ${name} says ${policy}: ${effect}.`)
  }
  const what = `${domain} has no DMARC record.`
  return look(what, 'Publish this one, which asks for nothing yet.', suggested(domain))
}

function suggested(domain: string): DnsRecord {
  return { name: `_dmarc.${domain}`, type: 'TXT', value: 'v=DMARC1; p=none' }
}

/**
 * The TXT records of a name, each joined from its pieces. None are found if the name does not
 * exist.
 */
async function lookUpTxt({ resolveTxt }: CheckContext, name: string): Promise<string[]> {
  const dns = resolveTxt ? { resolveTxt } : new Resolver({ timeout: 3_000, tries: 2 })
  try {
    return (await dns.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : String(fault)
    if (code === 'ENODATA' || code === 'ENOTFOUND') return []
    throw new CommandError(`${name} cannot be looked up: ${code}. Try again later.`)
  }
}

/** `v=DKIM1; k=rsa; p=…` by tag. */
function tagsOf(record: string): Map<string, string> {
  const tags = record.matchAll(/([^;=]+)=([^;]*)/g)
  return new Map(
    Array.from(tags, ([, name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]),
  )
}

/** The domain that was registered, by the Public Suffix List that receivers use too. */
export function organizationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase()
}
