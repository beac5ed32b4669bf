import { isLoopback } from '#server/settings/hosts.ts'
import type { CheckContext, Outcome } from '../check-context.ts'
import { about, type PastedRecord } from '../condition.ts'
import { lookUpTxt, tagsOf } from './dns-records.ts'

/** The effects on mail that somebody forged, the mildest first. */
const effects = new Map([
  ['none', 'receivers only report'],
  ['quarantine', 'forged mail lands in spam'],
  ['reject', 'forged mail is refused'],
])
const policies = [...effects.keys()]

/** Checks the policy for mail of the sender's domain, after RFC 9989. */
export async function checkDmarc(context: CheckContext): Promise<Outcome> {
  const { fine, warning, error } = about('dns.dmarc')
  const domain = context.config.senderDomain
  if (isLoopback(domain)) return []
  const found = await readDmarc(context, domain)
  if (!found) {
    return warning(
      `${domain} has no DMARC record.`,
      'Publish this one at your DNS provider. It asks for nothing yet.',
      { record: suggested(domain) },
    )
  }
  const { name, asked, tags, isAlone } = found
  const published = (asked === domain ? undefined : tags.get('sp')) ?? tags.get('p') ?? 'none'
  const policy = published.toLowerCase()
  const effect = effects.get(policy)
  if (!isAlone || effect === undefined) {
    return error(
      `${name} must have one DMARC record, with a policy that receivers know: none, quarantine or reject.`,
      'Publish this one instead.',
      { record: suggested(asked) },
    )
  }
  if (tags.get('t')?.toLowerCase() === 'y' && policy !== 'none') {
    const milder = policies[policies.indexOf(policy) - 1]!
    return warning(
      `The DMARC record at ${name} says ${policy} in test mode (t=y): receivers do as if it said ${milder}.`,
      'Remove t=y once the reports show that your own mail passes.',
    )
  }
  return fine(`The DMARC record at ${name} says ${policy}: ${effect}.`)
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
 * Reads the record that holds for mail from a domain: its own, else that of its organization, found
 * by walking up the tree of names (RFC 9989 4.10).
 */
export async function readDmarc(
  context: Pick<CheckContext, 'dns'>,
  domain: string,
): Promise<PublishedDmarc | undefined> {
  const own = await recordAt(context, domain)
  if (own) return own
  let highest: PublishedDmarc | undefined
  for (const parent of parentsOf(domain)) {
    const found = await recordAt(context, parent)
    if (!found?.isAlone) continue
    const psd = found.tags.get('psd')?.toLowerCase()
    if (psd === 'n') return found
    // A registry's own record holds where no domain below it has one.
    if (psd === 'y') return highest ?? found
    highest = found
  }
  return highest
}

const mostLabels = 7

/**
 * The names above a domain, up to its top level. Of a very long name the lower ones are left out.
 */
function parentsOf(domain: string): string[] {
  const labels = domain.split('.')
  const first = Math.max(1, labels.length - mostLabels)
  return labels.slice(first).map((_, index) => labels.slice(first + index).join('.'))
}

async function recordAt(
  context: Pick<CheckContext, 'dns'>,
  asked: string,
): Promise<PublishedDmarc | undefined> {
  const name = `_dmarc.${asked}`
  const found = (await lookUpTxt(context, name)).filter((one) =>
    /^v\s*=\s*DMARC1\s*(?:;|$)/.test(one),
  )
  const [record] = found
  if (record === undefined) return undefined
  return { name, asked, tags: tagsOf(record), isAlone: found.length === 1 }
}

function suggested(domain: string): PastedRecord {
  return { name: `_dmarc.${domain}`, type: 'TXT', value: 'v=DMARC1; p=none' }
}
