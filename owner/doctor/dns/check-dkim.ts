import { createPublicKey } from 'node:crypto'
import { isLoopback } from '#server/configuration/loopback.ts'
import { type CheckContext, type Outcome, subject } from '../finding.ts'
import { lookUpTxt, organizationOf, tagsOf } from './look-up-txt.ts'

const { ok, look, wrong, unknown } = subject('dns.dkim')

export async function checkDkim({ config, resolveTxt }: CheckContext): Promise<Outcome> {
  const { dkim, senderDomain } = config
  if (isLoopback(senderDomain)) return []
  if (!dkim)
    return unknown(
      'The relay has to sign mail (DKIM), which cannot be seen from here.',
      'Send yourself a test (doctor --send-test ADDRESS) and look for dkim=pass in its headers. If it is missing, switch signing on at the relay, or set the three DKIM_… variables.',
    )
  const { domain, selector, privateKey } = dkim
  // Relaxed alignment: one registered domain (RFC 7489 3.1.1).
  if (organizationOf(senderDomain) !== organizationOf(domain))
    return wrong(
      `MAIL_FROM is at ${senderDomain}, but DKIM_DOMAIN is ${domain}: the signature does not count for the sender.`,
      `Set DKIM_DOMAIN to ${senderDomain} or ${organizationOf(senderDomain)}, or MAIL_FROM to an address of ${domain}.`,
    )
  const name = `${selector}._domainkey.${domain}`
  const key = createPublicKey(privateKey)
  const [ours, older] = (['spki', 'pkcs1'] as const).map((type) =>
    key.export({ type, format: 'der' }).toString('base64'),
  )
  const record = { name, type: 'TXT', value: `v=DKIM1; k=rsa; p=${ours}` } as const
  const advice = 'Publish this record; a zone file wants it in pieces of at most 255 characters.'
  const found = (await lookUpTxt(resolveTxt, name)).map(tagsOf).filter((tags) => tags.has('p'))
  const keys = found.map((tags) => tags.get('p')!.replaceAll(/\s/g, ''))
  if (keys.length === 0) return wrong(`The DKIM key is not published: ${name} has no record.`, advice, record)
  if (!keys.every((one) => one === ours || one === older))
    return wrong(
      `${name} has another key than ours, or one that is revoked.`,
      'Keep this record alone.',
      record,
    )
  if (found.some((tags) => (tags.get('t') ?? '').split(':').includes('y')))
    return look(`${name} says t=y: receivers treat our signature as a test.`, 'Remove t=y.', record)
  return ok(`Our DKIM key is published at ${name}.`)
}
