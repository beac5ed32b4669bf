import { isLoopback } from '#server/configuration/loopback.ts'
import { organizationOf, senderDomain } from './domains.ts'
import {
  type Check,
  type DnsRecord,
  type CheckContext,
  type Finding,
  type Outcome,
  subject,
} from '../finding.ts'
import { lookUpTxt, tagsOf } from './look-up-txt.ts'

const about = subject('dns.dmarc', 'Gmail and Yahoo require it of everybody who sends much mail.')

export const dmarcChecks: Check[] = [{ about, run: checkDmarc }]

const policies: Record<string, string> = {
  none: 'receivers only report',
  quarantine: 'forged mail lands in spam',
  reject: 'forged mail is refused',
}

async function checkDmarc({ config, resolveTxt }: CheckContext): Promise<Outcome> {
  const domain = senderDomain(config)
  if (isLoopback(domain)) return []
  // Receivers ask the domain itself, then the registered domain (RFC 7489 6.6.3).
  for (const asked of new Set([domain, organizationOf(domain)])) {
    const name = `_dmarc.${asked}`
    const found = await lookUpTxt(resolveTxt, name)
    if (found.kind === 'unknown')
      return about.unknown(`${name} cannot be looked up: ${found.why}.`, 'Try again later.')
    const records = found.records.filter((one) => /^v=DMARC1\s*(?:;|$)/.test(one))
    if (records.length > 1)
      return about.wrong(
        `${name} has ${records.length} DMARC records; with more than one, none counts.`,
        'Keep one.',
      )
    const [record] = records
    if (record !== undefined)
      return judge(name, record, asked === domain, { domain, dkim: config.dkim?.domain })
  }
  return about.look(
    `${domain} has no DMARC record.`,
    'Publish this one, which asks for nothing yet.',
    suggested(domain),
  )
}

function judge(
  name: string,
  record: string,
  isOwn: boolean,
  { domain, dkim }: { domain: string; dkim: string | undefined },
): Finding {
  const tags = tagsOf(record)
  const policy = ((isOwn ? undefined : tags.get('sp')) ?? tags.get('p') ?? '').toLowerCase()
  const effect = policies[policy]
  if (effect === undefined)
    return about.wrong(
      `The DMARC record at ${name} has no policy that receivers know (none, quarantine, reject).`,
      'Publish this one in its place.',
      suggested(name.slice('_dmarc.'.length)),
    )
  if (dkim !== undefined && tags.get('adkim')?.toLowerCase() === 's' && dkim.toLowerCase() !== domain)
    return about.wrong(
      `The DMARC record at ${name} says adkim=s, so a signature of ${dkim} does not count for ${domain}.`,
      `Set DKIM_DOMAIN to ${domain}, or remove adkim=s from the record.`,
    )
  return about.ok(`The DMARC record at ${name} says ${policy}: ${effect}.`)
}

function suggested(domain: string): DnsRecord {
  return { name: `_dmarc.${domain}`, type: 'TXT', value: 'v=DMARC1; p=none' }
}
