import { isLoopback } from '#server/configuration/loopback.ts'
import type { CheckContext, DnsRecord, Outcome, Subject } from '../finding.ts'
import { organizationOf } from './domains.ts'
import { lookUpTxt, tagsOf } from './look-up-txt.ts'

const effects = new Map([
  ['none', 'receivers only report'],
  ['quarantine', 'forged mail lands in spam'],
  ['reject', 'forged mail is refused'],
])

export async function checkDmarc({ config, resolveTxt }: CheckContext, about: Subject): Promise<Outcome> {
  const domain = config.senderDomain
  if (isLoopback(domain)) return []
  // Receivers ask the domain itself, then the registered domain (RFC 7489 6.6.3).
  for (const asked of new Set([domain, organizationOf(domain)])) {
    const name = `_dmarc.${asked}`
    const found = await lookUpTxt(resolveTxt, name)
    const [record, ...more] = found.filter((one) => /^v=DMARC1\s*(?:;|$)/.test(one)).map(tagsOf)
    if (!record) continue
    if (more.length > 0)
      return about.wrong(
        `${name} has ${more.length + 1} DMARC records; with more than one, none counts.`,
        'Keep one.',
      )
    const policy = ((asked === domain ? undefined : record.get('sp')) ?? record.get('p') ?? '').toLowerCase()
    const effect = effects.get(policy)
    if (effect === undefined)
      return about.wrong(
        `The DMARC record at ${name} has no policy that receivers know (none, quarantine, reject).`,
        'Publish this one in its place.',
        suggested(asked),
      )
    const dkim = config.dkim?.domain ?? domain
    if (record.get('adkim')?.toLowerCase() === 's' && dkim.toLowerCase() !== domain)
      return about.wrong(
        `The DMARC record at ${name} says adkim=s, so a signature of ${dkim} does not count for ${domain}.`,
        `Set DKIM_DOMAIN to ${domain}, or remove adkim=s from the record.`,
      )
    return about.ok(`The DMARC record at ${name} says ${policy}: ${effect}.`)
  }
  return about.look(
    `${domain} has no DMARC record.`,
    'Publish this one, which asks for nothing yet.',
    suggested(domain),
  )
}

function suggested(domain: string): DnsRecord {
  return { name: `_dmarc.${domain}`, type: 'TXT', value: 'v=DMARC1; p=none' }
}
