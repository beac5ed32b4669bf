import type { IncomingMessage } from 'node:http'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Database } from '#server/database/database.ts'
import { type Answer, textAnswer } from '#server/http/answer.ts'
import { type Gate, hasMediaType, refusalAnswer, type SecretCheck } from '#server/http/gate.ts'
import { readBody } from '#server/http/request.ts'
import { type Bounce, markBounced } from './mark-bounced.ts'

export interface BounceHookDeps {
  bounceToken: string
  database: Database
  gate: Gate
  checkSecret: SecretCheck
  now: () => number
}

export const bounceHookPath = '/hooks/bounces'
const maxBodyBytes = 64 * 1024

type PostmarkReport = { kind: 'bounce'; bounce: Bounce } | { kind: 'other' } | { kind: 'malformed' }

/** Bounce types after which no mail must be sent (postmarkapp.com/developer/api/bounce-api). */
const permanentTypes = new Set(['HardBounce', 'BadEmailAddress', 'SpamComplaint', 'ManuallyDeactivated'])
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Accepts Postmark's reports of bounces. A report that changes nothing gets a 200 too, because Postmark repeats any other
 * answer for hours. The caller handles errors of the database.
 */
export async function answerBounceHook(
  request: IncomingMessage,
  { bounceToken, database, gate, checkSecret, now }: BounceHookDeps,
): Promise<Answer> {
  if (request.method !== 'POST') return textAnswer(405, 'Only POST is answered here.', { allow: 'POST' })
  const admission = gate.admit(request, 'own-pages')
  if (admission.kind === 'refused') return refusalAnswer(admission)
  if (!(await checkSecret(credentialOf(request), bounceToken)))
    return textAnswer(401, 'The token is missing or wrong.', { 'www-authenticate': 'Basic realm="bounces"' })
  if (!hasMediaType(request, 'application/json')) return textAnswer(415, 'The body must be application/json.')
  const body = await readBody(request, maxBodyBytes)
  if (body.kind === 'too-large') return textAnswer(413, `The body may have ${maxBodyBytes} bytes at most.`)
  const report = body.kind === 'whole' ? readPostmarkReport(body.bytes) : ({ kind: 'malformed' } as const)
  switch (report.kind) {
    case 'malformed':
      return textAnswer(400, "The body must be JSON as Postmark's webhooks send it.")
    case 'bounce':
      await markBounced(database, [report.bounce], now())
      return textAnswer(200, 'Thank you.')
    case 'other':
      return textAnswer(200, 'Thank you.')
    default:
      return report satisfies never
  }
}

/** The token as bearer, or as the password of any user: a webhook's URL can carry no more than `https://user:password@…`. */
function credentialOf({ headers: { authorization = '' } }: IncomingMessage): string {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) (\S+)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  const pair = Buffer.from(value, 'base64').toString()
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : ''
}

/** Reads what Postmark's bounce and spam complaint webhooks post (postmarkapp.com/developer/webhooks). */
function readPostmarkReport(bytes: Buffer): PostmarkReport {
  const fields = readObject(bytes)
  const recordType = fields?.get('RecordType')
  if (typeof recordType !== 'string') return { kind: 'malformed' }
  if (recordType !== 'Bounce' && recordType !== 'SpamComplaint') return { kind: 'other' }
  const [type, email, bouncedAt] = ['Type', 'Email', 'BouncedAt'].map((name) => fields?.get(name))
  if (typeof type !== 'string' || typeof email !== 'string') return { kind: 'malformed' }
  const identity = parseEmailAddress(email)?.identity
  // An invalid address cannot be on the list.
  if (identity === undefined || !permanentTypes.has(type)) return { kind: 'other' }
  const at = typeof bouncedAt === 'string' ? Date.parse(bouncedAt) : NaN
  return { kind: 'bounce', bounce: { identity, bouncedAt: Number.isNaN(at) ? undefined : at } }
}

/** Undefined: the bytes are not a JSON object. */
function readObject(bytes: Buffer): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}
