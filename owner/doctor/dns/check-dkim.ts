import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Config } from '#server/configuration/config.ts'
import { isLoopback } from '#server/configuration/loopback.ts'
import type { CheckContext, Finding, Outcome, Subject } from '../finding.ts'
import { organizationOf } from './domains.ts'
import { lookUpTxt, tagsOf } from './look-up-txt.ts'

const [minBits, goodBits] = [1024, 2048]

export async function checkDkim({ config, resolveTxt }: CheckContext, about: Subject): Promise<Outcome> {
  if (isLoopback(config.senderDomain)) return []
  if (!config.dkim)
    return about.unknown(
      'The relay has to sign mail (DKIM), which cannot be seen from here.',
      'Send yourself a test (doctor --send-test ADDRESS) and look for dkim=pass in its headers. If it is missing, switch signing on at the relay, or set the three DKIM_… variables.',
    )
  const key = createPublicKey(config.dkim.privateKey)
  return [await checkPublished(key, config.dkim, resolveTxt, about), ...checkLength(key, about)]
}

async function checkPublished(
  key: KeyObject,
  { domain, selector }: NonNullable<Config['dkim']>,
  resolveTxt: CheckContext['resolveTxt'],
  { ok, look, wrong }: Subject,
): Promise<Finding> {
  const name = `${selector}._domainkey.${domain}`
  const [ours, older] = (['spki', 'pkcs1'] as const).map((type) =>
    key.export({ type, format: 'der' }).toString('base64'),
  )
  const record = { name, type: 'TXT', value: `v=DKIM1; k=rsa; p=${ours}` } as const
  const advice = 'Publish this record; a zone file wants it in pieces of at most 255 characters.'
  const found = (await lookUpTxt(resolveTxt, name)).map(tagsOf).filter((tags) => tags.has('p'))
  const [tags, ...more] = found
  if (!tags) return wrong(`The DKIM key is not published: ${name} has no record.`, advice, record)
  if (more.length > 0)
    return wrong(`${name} has ${found.length} DKIM records; there must be one.`, 'Keep this one.', record)
  const published = (tags.get('p') ?? '').replaceAll(/\s/g, '')
  if (published === '') return wrong(`The DKIM key at ${name} is marked as revoked.`, advice, record)
  if (published !== ours && published !== older)
    return wrong(`The DKIM key at ${name} belongs to another private key than ours.`, advice, record)
  if ((tags.get('t') ?? '').split(':').includes('y'))
    return look(`${name} says t=y: receivers treat our signature as a test.`, 'Remove t=y.', record)
  return ok(`Our DKIM key is published at ${name}.`)
}

function checkLength({ asymmetricKeyDetails }: KeyObject, { look, wrong }: Subject): Finding[] {
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (bits >= goodBits) return []
  const advice = `Make one of ${goodBits} bits under a new selector, publish it, then change the DKIM_… variables.`
  return bits < minBits
    ? [wrong(`The DKIM key has ${bits} bits: receivers ignore less than ${minBits}.`, advice)]
    : [look(`The DKIM key has ${bits} bits; ${goodBits} are usual today.`, advice)]
}

/** Relaxed alignment (RFC 7489 3.1.1): one registered domain. DMARC's adkim=s is checked with the DMARC record. */
export function checkAlignment({ config }: CheckContext, { ok, wrong }: Subject): Outcome {
  const sender = config.senderDomain
  if (!config.dkim || isLoopback(sender)) return []
  const { domain } = config.dkim
  const [ours, theirs] = [organizationOf(sender), organizationOf(domain)]
  if (ours === theirs) return ok(`Sender and signature share the domain ${ours}.`)
  return wrong(
    `MAIL_FROM is at ${sender} (registered: ${ours}), but DKIM_DOMAIN is ${domain} (registered: ${theirs}).`,
    `Set DKIM_DOMAIN to ${sender} or ${ours}, or MAIL_FROM to an address of ${domain}.`,
  )
}
