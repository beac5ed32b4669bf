import { parseEmailAddress } from '#contract/email-address.ts'
import type { Bounce } from './mark-bounced.ts'

/** A permanent bounce; something else that Postmark tells and we need not know; or nothing that Postmark sends. */
export type Report = { kind: 'bounce'; bounce: Bounce } | { kind: 'other' } | { kind: 'malformed' }

/** Those after which nothing more is to be sent (postmarkapp.com/developer/api/bounce-api, bounce types). */
const permanentTypes = new Set(['HardBounce', 'BadEmailAddress', 'SpamComplaint', 'ManuallyDeactivated'])
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads what Postmark's bounce and spam complaint webhooks post (postmarkapp.com/developer/webhooks). */
export function readPostmarkReport(bytes: Buffer): Report {
  const fields = readObject(bytes)
  const recordType = fields?.get('RecordType')
  if (typeof recordType !== 'string') return { kind: 'malformed' }
  if (recordType !== 'Bounce' && recordType !== 'SpamComplaint') return { kind: 'other' }
  const [type, email, bouncedAt] = ['Type', 'Email', 'BouncedAt'].map((name) => fields?.get(name))
  if (typeof type !== 'string' || typeof email !== 'string') return { kind: 'malformed' }
  const identity = parseEmailAddress(email)?.identity
  // An address that is none can be nobody's on the list.
  if (identity === undefined || !permanentTypes.has(type)) return { kind: 'other' }
  const at = typeof bouncedAt === 'string' ? Date.parse(bouncedAt) : NaN
  return { kind: 'bounce', bounce: { identity, bouncedAt: Number.isNaN(at) ? undefined : at } }
}

/** Undefined: the bytes are no JSON object. */
function readObject(bytes: Buffer): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}
