import { isIPv4 } from 'node:net'
import type { Config } from '#server/configuration/config.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import { senderDomain } from './domains.ts'
import type { CheckContext, DnsRecord, Finding, Outcome, Subject } from '../finding.ts'
import { lookUpTxt } from './look-up-txt.ts'
import { isSpf, readSpf, type SpfReading } from './read-spf.ts'

const maxLookups = 10 // RFC 7208 4.6.4

export async function checkSpf({ config, resolveTxt }: CheckContext, about: Subject): Promise<Outcome> {
  const domain = senderDomain(config)
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
