import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Config } from '#server/settings/config.ts'
import { isLoopback } from '#server/settings/loopback.ts'
import type { CheckContext, DnsRecord, Finding, Outcome, Subject } from '../finding.ts'
import { readDmarc } from './check-dmarc.ts'
import { lookUpTxt, organizationOf, tagsOf } from './dns-records.ts'

type Dkim = NonNullable<Config['dkim']>

/** RFC 8301 3.2: receivers must not accept a shorter key, and signers should use the longer one. */
const minBits = 1024
const goodBits = 2048

/** Checks that a receiver accepts our signature, and that it counts for the sender. */
export async function checkDkim(context: CheckContext, about: Subject): Promise<Outcome> {
  const { dkim, senderDomain } = context.config
  if (isLoopback(senderDomain)) return []
  if (!dkim) {
    return about.unknown(
      'The relay has to sign mail (DKIM), which cannot be seen from here.',
      'Send yourself a test (doctor --send-test ADDRESS) and look for dkim=pass in its headers. ' +
        'If it is missing, switch signing on at the relay, or set the three DKIM_… variables.',
    )
  }
  const key = createPublicKey(dkim.privateKey)
  return (
    (await faultOfAlignment(context, dkim, about)) ??
    faultOfLength(key, about) ??
    (await checkPublishedKey(context, { dkim, key }, about))
  )
}

/** A signature counts if its domain is the sender's, or a relative of it (RFC 7489 3.1.1). */
async function faultOfAlignment(
  context: CheckContext,
  { domain }: Dkim,
  { wrong }: Subject,
): Promise<Finding | undefined> {
  const { senderDomain } = context.config
  if (organizationOf(senderDomain) !== organizationOf(domain)) {
    return wrong(
      `MAIL_FROM is at ${senderDomain}, but DKIM_DOMAIN is ${domain}: ` +
        'the signature does not count for the sender.',
      `Set DKIM_DOMAIN to ${senderDomain} or ${organizationOf(senderDomain)}, ` +
        `or MAIL_FROM to an address of ${domain}.`,
    )
  }
  if (domain.toLowerCase() === senderDomain) return undefined
  const dmarc = await readDmarc(context, senderDomain)
  if (dmarc?.tags.get('adkim')?.toLowerCase() !== 's') return undefined
  return wrong(
    `${dmarc.name} says adkim=s, so the signature must be of ${senderDomain} itself, ` +
      `but DKIM_DOMAIN is ${domain}.`,
    `Set DKIM_DOMAIN to ${senderDomain} and publish the key under it, or remove adkim=s.`,
  )
}

function faultOfLength(key: KeyObject, { wrong }: Subject): Finding | undefined {
  const bits = bitsOf(key)
  if (bits >= minBits) return undefined
  return wrong(
    `The DKIM key has ${bits} bits; receivers ignore a signature below ${minBits}.`,
    `Make a key of ${goodBits} bits: openssl genrsa -out dkim.pem ${goodBits}`,
  )
}

async function checkPublishedKey(
  context: CheckContext,
  { dkim, key }: { dkim: Dkim; key: KeyObject },
  about: Subject,
): Promise<Finding> {
  const name = `${dkim.selector}._domainkey.${dkim.domain}`
  const ours = inBase64(key, 'spki')
  const record: DnsRecord = { name, type: 'TXT', value: `v=DKIM1; k=rsa; p=${ours}` }
  const published = (await lookUpTxt(context, name)).map(tagsOf).filter((tags) => tags.has('p'))
  if (published.length === 0) {
    return about.wrong(`The DKIM key is not published: ${name} has no record.`, advice, record)
  }
  const accepted = new Set([ours, inBase64(key, 'pkcs1')])
  if (!published.every((tags) => accepted.has(tags.get('p')!.replaceAll(/\s/g, '')))) {
    return about.wrong(
      `${name} has a different key from ours, or a revoked one.`,
      'Keep only this record.',
      record,
    )
  }
  const faults = published.map((tags) => faultOfUse(tags, record, about))
  return faults.find((fault) => fault !== undefined) ?? checkStrength(key, name, about)
}

const advice =
  'Publish this record. In a zone file, split it into strings of at most 255 characters.'

/** A receiver uses the key only for what its record names (RFC 6376 3.6.1). */
function faultOfUse(
  tags: Map<string, string>,
  record: DnsRecord,
  { look, wrong }: Subject,
): Finding | undefined {
  const { name } = record
  const limit = limitOf(tags)
  if (limit !== undefined) {
    return wrong(`${name} says ${limit}: receivers ignore our signature.`, advice, record)
  }
  if (!listOf(tags, 't').includes('y')) return undefined
  const what = `${name} says t=y: receivers treat our signature as a test.`
  return look(what, 'Remove t=y.', record)
}

function checkStrength(key: KeyObject, name: string, { ok, look }: Subject): Finding {
  const bits = bitsOf(key)
  if (bits >= goodBits) return ok(`Our DKIM key is published at ${name}.`)
  return look(
    `Our DKIM key is published at ${name}, and has ${bits} bits.`,
    `A key of ${goodBits} bits is safer: openssl genrsa -out dkim.pem ${goodBits}`,
  )
}

function bitsOf(key: KeyObject): number {
  return key.asymmetricKeyDetails?.modulusLength ?? 0
}

function inBase64(key: KeyObject, type: 'spki' | 'pkcs1'): string {
  return key.export({ type, format: 'der' }).toString('base64')
}

/** Returns the tag that keeps a receiver from using the key for our mail, which has rsa-sha256. */
function limitOf(tags: Map<string, string>): string | undefined {
  const needed = { v: ['DKIM1'], k: ['rsa'], h: ['sha256'], s: ['*', 'email'] }
  for (const [tag, values] of Object.entries(needed)) {
    const published = listOf(tags, tag)
    if (tags.has(tag) && !values.some((value) => published.includes(value))) {
      return `${tag}=${tags.get(tag)}`
    }
  }
  return undefined
}

function listOf(tags: Map<string, string>, tag: string): string[] {
  return (tags.get(tag) ?? '').split(':').map((value) => value.trim())
}
