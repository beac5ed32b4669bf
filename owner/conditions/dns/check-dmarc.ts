import { isLoopback } from '#server/settings/loopback.ts'
import type { CheckContext, DnsRecord, Outcome, Subject } from '../finding.ts'
import { lookUpTxt, organizationOf, tagsOf } from './dns-records.ts'

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
  const published = await readDmarc(context, domain)
  if (!published) {
    const what = `${domain} has no DMARC record.`
    return look(what, 'Publish this one, which asks for nothing yet.', suggested(domain))
  }
  const { name, asked, tags, isAlone } = published
  const ofSubdomains = asked === domain ? undefined : tags.get('sp')
  const policy = (ofSubdomains ?? tags.get('p') ?? '').toLowerCase()
  const effect = effects.get(policy)
  if (!isAlone || effect === undefined) {
    return wrong(
      `${name} must have one DMARC record with a policy that receivers know ` +
        '(none, quarantine, reject).',
      'Publish this one instead.',
      suggested(asked),
    )
  }
  return ok(`The DMARC record at ${name} says ${policy}: ${effect}.`)
}

interface PublishedDmarc {
  /** Where the record is: `_dmarc.example.com`. */
  name: string
  /** The domain behind `_dmarc.`. */
  asked: string
  tags: Map<string, string>
  /** False: there are several, and receivers use none of them. */
  isAlone: boolean
}

/**
 * Reads the record that holds for mail from a domain: its own, else that of its registered domain
 * (RFC 7489 6.6.3).
 */
export async function readDmarc(
  context: CheckContext,
  domain: string,
): Promise<PublishedDmarc | undefined> {
  for (const asked of new Set([domain, organizationOf(domain)])) {
    const name = `_dmarc.${asked}`
    const found = (await lookUpTxt(context, name)).filter((one) => /^v=DMARC1\s*(?:;|$)/.test(one))
    const [record] = found
    if (record !== undefined) return { name, asked, tags: tagsOf(record), isAlone: !found[1] }
  }
  return undefined
}

function suggested(domain: string): DnsRecord {
  return { name: `_dmarc.${domain}`, type: 'TXT', value: 'v=DMARC1; p=none' }
}
