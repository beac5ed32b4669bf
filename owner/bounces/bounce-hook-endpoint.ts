import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Database } from '#server/database/open-database.ts'
import type { Answer } from '#server/http/answer.ts'
import { readBody } from '#server/http/read-body.ts'
import { markBounced } from './mark-bounced.ts'
import { readPostmarkReport } from './postmark-report.ts'

export interface BounceHookMeans {
  bounceToken: string
  database: Database
  now: () => number
}

export const bounceHookPath = '/hooks/bounces'
const maxBodyBytes = 64 * 1024

/**
 * Takes Postmark's reports of bounces. What changes nothing is answered with 200 all the same: anything else is sent
 * again for hours. Faults of the database are the caller's.
 */
export async function answerBounceHook(
  request: IncomingMessage,
  { bounceToken, database, now }: BounceHookMeans,
): Promise<Answer> {
  if (request.method !== 'POST') return says(405, 'Only POST is answered here.', { allow: 'POST' })
  if (!hasCredential(request, bounceToken))
    return says(401, 'The token is missing or wrong.', { 'www-authenticate': 'Basic realm="bounces"' })
  if (!isPlainJson(request)) return says(415, 'The body must be application/json.')
  const body = await readBody(request, maxBodyBytes)
  if (body.kind === 'too-large') return says(413, `The body may have ${maxBodyBytes} bytes at most.`)
  const report = body.kind === 'whole' ? readPostmarkReport(body.bytes) : ({ kind: 'malformed' } as const)
  switch (report.kind) {
    case 'malformed':
      return says(400, "The body must be JSON as Postmark's webhooks send it.")
    case 'bounce':
      await markBounced(database, [report.bounce], now())
      return says(200, 'Thank you.')
    case 'other':
      return says(200, 'Thank you.')
    default:
      return report satisfies never
  }
}

/** The token as bearer, or as the password of any user: a webhook's URL can carry no more than `https://user:password@…`. */
function hasCredential({ headers: { authorization = '' } }: IncomingMessage, token: string): boolean {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) (\S+)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return isSame(value, token)
  const pair = Buffer.from(value, 'base64').toString()
  return pair.includes(':') && isSame(pair.slice(pair.indexOf(':') + 1), token)
}

/** In constant time, whatever their lengths. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(a!, b!)
}

function isPlainJson({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  return type === 'application/json' && headers['content-encoding'] === undefined
}

function says(status: number, sentence: string, headers: Record<string, string> = {}): Answer {
  const usual = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return { status, headers: { ...usual, ...headers }, body: `${sentence}\n` }
}
