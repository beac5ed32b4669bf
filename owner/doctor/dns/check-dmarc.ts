import { isLoopback } from '#server/configuration/loopback.ts'
import { type CheckContext, type DnsRecord, type Outcome, subject } from '../finding.ts'
import { lookUpTxt, organizationOf, tagsOf } from './look-up-txt.ts'

const { ok, look, wrong } = subject('dns.dmarc')
const effects = new Map([
  ['none', 'receivers only report'],
  ['quarantine', 'forged mail lands in spam'],
  ['reject', 'forged mail is refused'],
])

export async function checkDmarc({ config, resolveTxt }: CheckContext): Promise<Outcome> {
  const domain = config.senderDomain
  if (isLoopback(domain)) return []
  // Receivers ask the domain itself, then the registered domain (RFC 7489 6.6.3).
  for (const asked of new Set([domain, organizationOf(domain)])) {
    const name = `_dmarc.${asked}`
    const found = (await lookUpTxt(resolveTxt, name)).filter((one) => /^v=DMARC1\s*(?:;|$)/.test(one))
    const [record, ...more] = found.map(tagsOf)
    if (!record) continue
    const policy = ((asked === domain ? undefined : record.get('sp')) ?? record.get('p') ?? '').toLowerCase()
    const effect = effects.get(policy)
    if (more.length > 0 || effect === undefined)
      return wrong(
        `${name} must have one DMARC record with a policy that receivers know (none, quarantine, reject).`,
        'Publish this one in their place.',
        suggested(asked),
      )
    return ok(`The DMARC record at ${name} says ${policy}: ${effect}.`)
  }
  const what = `${domain} has no DMARC record.`
  return look(what, 'Publish this one, which asks for nothing yet.', suggested(domain))
}

function suggested(domain: string): DnsRecord {
  return { name: `_dmarc.${domain}`, type: 'TXT', value: 'v=DMARC1; p=none' }
}
