import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Config } from '#server/settings/config.ts'
import { isLoopback } from '#server/settings/hosts.ts'
import type { CheckContext, Outcome } from '../check-context.ts'
import { about, type Condition, type PastedRecord } from '../condition.ts'
import { readMailProof } from '../mail-service/mail-proof.ts'
import { readDmarc } from './check-dmarc.ts'
import { organizationOf } from '../organization.ts'
import { lookUpTxt, tagsOf } from './dns-records.ts'

type Dkim = NonNullable<Config['dkim']>

/** RFC 8301 3.2: receivers must not accept a shorter key, and signers should use the longer one. */
const minBits = 1024
const goodBits = 2048

const judged = about('dns.dkim')

/** Checks that a receiver accepts the signature, and that it counts for the sender. */
export async function checkDkim(context: CheckContext): Promise<Outcome> {
  const { dkim, senderDomain } = context.config
  if (isLoopback(senderDomain)) return []
  if (!dkim) return judgeServiceSignature(context)
  const key = createPublicKey(dkim.privateKey)
  return (
    (await faultOfAlignment(context, dkim)) ??
    faultOfLength(key) ??
    checkPublishedKey(context, { dkim, key })
  )
}

/** The mail service signs, which only a receiver can tell. */
async function judgeServiceSignature(context: CheckContext): Promise<Condition> {
  const { senderDomain } = context.config
  const proof = await readMailProof(context)
  const toPaste =
    'Press “Send me a test mail”, open it in your mail program, choose “Show original” or “View source”, and paste what it shows under Check-up.'
  if (!proof) {
    return judged.notChecked(
      'Your mail service signs your mail (DKIM), which only a receiver can see.',
      toPaste,
    )
  }
  const { receiver, dkim } = proof
  const passed = dkim.filter(({ result }) => result === 'pass').map(({ domain }) => domain)
  const ours = passed.find((domain) => organizationOf(domain) === organizationOf(senderDomain))
  if (ours !== undefined) return judged.fine(`${receiver} found a valid DKIM signature of ${ours}.`)
  const verify = `Verify ${senderDomain} in your mail service's account, and publish the DKIM records that it shows. Then send a new test mail, and paste its headers.`
  const [other] = passed
  if (other !== undefined) {
    return judged.warning(
      `${receiver} found a DKIM signature of ${other}, which does not count for ${senderDomain}.`,
      verify,
    )
  }
  return judged.error(`${receiver} found no valid DKIM signature on your test mail.`, verify)
}

/** A signature counts if its domain is the sender's, or a relative of it (RFC 7489 3.1.1). */
async function faultOfAlignment(
  context: CheckContext,
  { domain }: Dkim,
): Promise<Condition | undefined> {
  const { senderDomain } = context.config
  if (organizationOf(senderDomain) !== organizationOf(domain)) {
    return judged.error(
      `MAIL_FROM is at ${senderDomain}, but DKIM_DOMAIN is ${domain}: ` +
        'the signature does not count for the sender.',
      `Set DKIM_DOMAIN to ${senderDomain} or ${organizationOf(senderDomain)}, ` +
        `or MAIL_FROM to an address of ${domain}.`,
    )
  }
  if (domain.toLowerCase() === senderDomain) return undefined
  const dmarc = await readDmarc(context, senderDomain)
  if (dmarc?.tags.get('adkim')?.toLowerCase() !== 's') return undefined
  return judged.error(
    `${dmarc.name} says adkim=s, so the signature must be of ${senderDomain} itself, ` +
      `but DKIM_DOMAIN is ${domain}.`,
    `Set DKIM_DOMAIN to ${senderDomain} and publish the key under it, or remove adkim=s.`,
  )
}

function faultOfLength(key: KeyObject): Condition | undefined {
  const bits = bitsOf(key)
  if (bits >= minBits) return undefined
  return judged.error(
    `The DKIM key has ${bits} bits; receivers ignore a signature below ${minBits}.`,
    `Make a key of ${goodBits} bits: openssl genrsa -out dkim.pem ${goodBits}`,
  )
}

async function checkPublishedKey(
  context: CheckContext,
  { dkim, key }: { dkim: Dkim; key: KeyObject },
): Promise<Condition> {
  const name = `${dkim.selector}._domainkey.${dkim.domain}`
  const ours = inBase64(key, 'spki')
  const record: PastedRecord = { name, type: 'TXT', value: `v=DKIM1; k=rsa; p=${ours}` }
  const published = (await lookUpTxt(context, name)).map(tagsOf).filter((tags) => tags.has('p'))
  if (published.length === 0) {
    return judged.error(`The DKIM key is not published: ${name} has no record.`, advice, { record })
  }
  const accepted = new Set([ours, inBase64(key, 'pkcs1')])
  if (!published.every((tags) => accepted.has(tags.get('p')!.replaceAll(/\s/g, '')))) {
    return judged.error(
      `${name} has a different key from ours, or a revoked one.`,
      'Keep only this record.',
      { record },
    )
  }
  const faults = published.map((tags) => faultOfUse(tags, record))
  return faults.find((fault) => fault !== undefined) ?? checkStrength(key, name)
}

const advice =
  'Publish this record. In a zone file, split it into strings of at most 255 characters.'

/** A receiver uses the key only for what its record names (RFC 6376 3.6.1). */
function faultOfUse(tags: Map<string, string>, record: PastedRecord): Condition | undefined {
  const { name } = record
  const limit = limitOf(tags)
  if (limit !== undefined) {
    return judged.error(`${name} says ${limit}: receivers ignore our signature.`, advice, {
      record,
    })
  }
  if (!listOf(tags, 't').includes('y')) return undefined
  const what = `${name} says t=y: receivers treat our signature as a test.`
  return judged.warning(what, 'Remove t=y.', { record })
}

function checkStrength(key: KeyObject, name: string): Condition {
  const bits = bitsOf(key)
  if (bits >= goodBits) return judged.fine(`Our DKIM key is published at ${name}.`)
  return judged.warning(
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
