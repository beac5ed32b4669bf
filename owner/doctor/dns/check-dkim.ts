import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '#server/configuration/config.ts'
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

const key = subject(
  'dns.dkim',
  'Receivers check our signature with this key. A wrong key is worse than none.',
)
const alignment = subject('dns.alignment', 'A signature counts only if its domain matches the sender.')
const [minBits, goodBits] = [1024, 2048]

export const dkimChecks: Check[] = [
  { about: key, run: checkKey },
  { about: alignment, run: ({ config }) => checkAlignment(config) },
]

async function checkKey({ config, resolveTxt }: CheckContext): Promise<Outcome> {
  if (isLoopback(senderDomain(config))) return []
  if (!config.dkim)
    return key.unknown(
      'The relay has to sign mail (DKIM), which cannot be seen from here.',
      'Send yourself a test (doctor --send-test ADDRESS) and look for dkim=pass in its headers. If it is missing, switch signing on at the relay, or set the three DKIM_… variables.',
    )
  const { privateKeyFile } = config.dkim
  const own = await readKey(privateKeyFile)
  if (!own)
    return key.wrong(
      `DKIM_PRIVATE_KEY_FILE (${privateKeyFile}) is not an RSA private key without a passphrase, or may not be read by this user.`,
      `Make one: openssl genrsa -out ${privateKeyFile} 2048`,
    )
  return [await checkPublished(own, config.dkim, resolveTxt), ...judgeLength(own)]
}

async function readKey(file: string): Promise<KeyObject | undefined> {
  try {
    const found = createPublicKey(createPrivateKey(await readFile(file)))
    return found.asymmetricKeyType === 'rsa' ? found : undefined
  } catch {
    return undefined
  }
}

async function checkPublished(
  own: KeyObject,
  { domain, selector }: NonNullable<Config['dkim']>,
  resolveTxt: CheckContext['resolveTxt'],
): Promise<Finding> {
  const name = `${selector}._domainkey.${domain}`
  const record: DnsRecord = { name, type: 'TXT', value: `v=DKIM1; k=rsa; p=${base64(own, 'spki')}` }
  const advice = 'Publish this record; a zone file wants it in pieces of at most 255 characters.'
  const found = await lookUpTxt(resolveTxt, name)
  if (found.kind === 'unknown')
    return key.unknown(`${name} cannot be looked up: ${found.why}.`, 'Try again later.')
  const published = found.records.map(tagsOf).filter((tags) => tags.has('p'))
  const [tags, ...more] = published
  if (!tags) return key.wrong(`The DKIM key is not published: ${name} has no record.`, advice, record)
  if (more.length > 0)
    return key.wrong(
      `${name} has ${published.length} DKIM records; there must be one.`,
      'Keep this one.',
      record,
    )
  const given = (tags.get('p') ?? '').replaceAll(/\s/g, '')
  if (given === '') return key.wrong(`The DKIM key at ${name} is marked as revoked.`, advice, record)
  if (![base64(own, 'spki'), base64(own, 'pkcs1')].includes(given))
    return key.wrong(`The DKIM key at ${name} belongs to another private key than ours.`, advice, record)
  if ((tags.get('t') ?? '').split(':').includes('y'))
    return key.look(`${name} says t=y: receivers treat our signature as a test.`, 'Remove t=y.', record)
  return key.ok(`Our DKIM key is published at ${name}.`)
}

function judgeLength({ asymmetricKeyDetails }: KeyObject): Finding[] {
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (bits >= goodBits) return []
  const advice = `Make one of ${goodBits} bits under a new selector, publish it, then change the DKIM_… variables.`
  return bits < minBits
    ? [key.wrong(`The DKIM key has ${bits} bits: receivers ignore less than ${minBits}.`, advice)]
    : [key.look(`The DKIM key has ${bits} bits; ${goodBits} are usual today.`, advice)]
}

function base64(own: KeyObject, type: 'spki' | 'pkcs1'): string {
  return own.export({ type, format: 'der' }).toString('base64')
}

/** Relaxed alignment (RFC 7489 3.1.1): one registered domain. DMARC's adkim=s is checked with the DMARC record. */
function checkAlignment(config: Config): Outcome {
  const sender = senderDomain(config)
  if (!config.dkim || isLoopback(sender)) return []
  const { domain } = config.dkim
  const [ours, theirs] = [organizationOf(sender), organizationOf(domain)]
  if (ours === theirs) return alignment.ok(`Sender and signature share the domain ${ours}.`)
  return alignment.wrong(
    `MAIL_FROM is at ${sender} (registered: ${ours}), but DKIM_DOMAIN is ${domain} (registered: ${theirs}).`,
    `Set DKIM_DOMAIN to ${sender} or ${ours}, or MAIL_FROM to an address of ${domain}.`,
  )
}
