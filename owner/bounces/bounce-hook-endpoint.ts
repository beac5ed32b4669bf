import type { IncomingMessage } from 'node:http'
import type { Database } from '#server/database/database.ts'
import { type Answer, textAnswer } from '#server/http/answer.ts'
import { type Gate, hasMediaType, refusalAnswer, type SecretCheck } from '#server/http/gate.ts'
import { readBody } from '#server/http/request.ts'
import { markBounced } from './mark-bounced.ts'
import { readPostmarkReport } from './postmark-report.ts'

export interface BounceHookMeans {
  bounceToken: string
  database: Database
  gate: Gate
  checkSecret: SecretCheck
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
  { bounceToken, database, gate, checkSecret, now }: BounceHookMeans,
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
