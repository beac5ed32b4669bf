import { isIPv4 } from 'node:net'
import type { Config } from '#server/configuration/config.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import type { CheckContext, DnsRecord, Outcome, Subject } from '../finding.ts'
import { lookUpTxt } from './look-up-txt.ts'

const maxLookups = 10 // RFC 7208 4.6.4
/** Terms that cost a receiver a DNS query. What they include costs more, and is not looked up here. */
const queries = /^[+\-~?]?(?:include:|a(?:$|[:/])|mx(?:$|[:/])|ptr(?:$|:)|exists:|redirect=)/

export async function checkSpf({ config, resolveTxt }: CheckContext, about: Subject): Promise<Outcome> {
  const domain = config.senderDomain
  if (isLoopback(domain)) return []
  const [record, ...more] = (await lookUpTxt(resolveTxt, domain)).filter((one) => /^v=spf1(?: |$)/i.test(one))
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
  return checkRecord(domain, record, about)
}

function checkRecord(domain: string, record: string, { ok, look, wrong }: Subject): Outcome {
  const it = `The SPF record of ${domain}`
  const terms = record.toLowerCase().split(/ +/).slice(1)
  const lookups = terms.filter((term) => queries.test(term)).length
  const all = terms.find((term) => /^[+\-~?]?all$/.test(term))
  if (lookups > maxLookups)
    return wrong(
      `${it} costs ${lookups} or more DNS queries; after ${maxLookups} receivers give up.`,
      'Remove services you no longer send with. Each include, a, mx, exists and redirect counts, also inside includes.',
    )
  if (all === 'all' || all === '+all')
    return wrong(`${it} ends in +all: everybody may send as you.`, 'End it in ~all or -all.')
  const isOpen = all === '?all' || (all === undefined && !terms.some((term) => term.startsWith('redirect=')))
  if (isOpen)
    return look(
      `${it} says nothing about servers it does not name (no ~all or -all).`,
      'End it in ~all or -all.',
    )
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
  const term = relays.find(([ending]) => host.endsWith(ending))?.[1] ?? termFor(host)
  return { name: domain, type: 'TXT', value: `v=spf1 ${term} ~all` }
}

function termFor(host: string): string {
  if (isIPv4(host)) return `ip4:${host}`
  return host.startsWith('[') ? `ip6:${host.slice(1, -1)}` : `a:${host}`
}
