import type { IncomingMessage } from 'node:http'
import type { Database } from '#server/database/database.ts'
import { type Answer, textAnswer } from '#server/http/answer.ts'
import { hasMediaType, refusalAnswer } from '#server/http/gate.ts'
import { readBody } from '#server/http/request.ts'
import type { ExtensionContext } from '#server/start/extension.ts'
import { addDailyCounts, dayOf } from '#server/statistics/daily-counts.ts'
import { findActive } from '#server/subscribers/subscribers.ts'
import { markBounced } from './mark-bounced.ts'
import { readObject, readPostmarkReport, readResendReport, readSesReport, type Report } from './reports.ts'
import { hasValidSignature, isSigned, verifySnsMessage } from './signatures.ts'
import { isConfirmedTopic, keepSubscription } from './sns-topics.ts'

interface BounceHookDeps extends ExtensionContext {
  bounceToken: string
}

export const bounceHookPath = '/hooks/bounces'
const maxBodyBytes = 64 * 1024

/**
 * Takes the providers' reports of bounces and arrivals. A report that changes nothing gets a 200 too, because
 * providers repeat any other answer for hours. The caller handles errors of the database.
 */
export async function answerBounceHook(request: IncomingMessage, deps: BounceHookDeps): Promise<Answer> {
  if (request.method !== 'POST') return textAnswer(405, 'Only POST is answered here.', { allow: 'POST' })
  const admission = deps.gate.admit(request, 'own-pages')
  if (admission.kind === 'refused') return refusalAnswer(admission)
  // A signature covers the body, so it is checked after reading.
  const signed = isSigned(request)
  if (!signed && !(await deps.checkSecret(credentialOf(request), deps.bounceToken))) return notProved()
  const isFromSns = request.headers['x-amz-sns-message-type'] !== undefined // it calls its JSON text/plain
  if (!hasMediaType(request, 'application/json') && !(isFromSns && hasMediaType(request, 'text/plain')))
    return textAnswer(415, 'The body must be application/json.')
  const body = await readBody(request, maxBodyBytes)
  if (body.kind === 'too-large') return textAnswer(413, `The body may have ${maxBodyBytes} bytes at most.`)
  if (body.kind === 'cut-off') return applyReport({ kind: 'malformed' }, deps)
  if (isFromSns && !signed) return answerSns(body.bytes, deps)
  if (!signed) return applyReport(readPostmarkReport(body.bytes), deps)
  const { bounceToken: secret, checkSecret, now } = deps
  if (hasValidSignature(request.headers, body.bytes, { secret, now: now() }))
    return applyReport(readResendReport(body.bytes), deps)
  await checkSecret('', secret) // slows down guessing
  return notProved()
}

/** Amazon signs for everybody with an account there, so only the topics that the owner confirmed count. */
async function answerSns(bytes: Buffer, deps: BounceHookDeps): Promise<Answer> {
  const fields = readObject(bytes)
  if (!fields) return applyReport({ kind: 'malformed' }, deps)
  const verdict = await verifySnsMessage(fields)
  if (verdict.kind === 'unknown')
    return textAnswer(503, "Amazon's certificate cannot be had now.", { 'retry-after': '30' })
  if (verdict.kind === 'invalid') return textAnswer(403, 'The signature is missing or wrong.')
  const { content } = verdict
  const { query } = deps.database
  switch (content.kind) {
    case 'subscription':
      await keepSubscription(query, content.topic, content.url, deps.now())
      deps.log.warn('an SNS topic waits for "npm run owner -- bounces confirm"', { topic: content.topic })
      return textAnswer(200, 'Thank you. The owner has to confirm.')
    case 'notification':
      if (await isConfirmedTopic(query, content.topic))
        return applyReport(readSesReport(content.message), deps)
      return textAnswer(403, 'The owner has not confirmed this topic.')
    case 'other':
      return textAnswer(200, 'Thank you.')
    default:
      return content satisfies never
  }
}

async function applyReport(report: Report, { database, now }: BounceHookDeps): Promise<Answer> {
  switch (report.kind) {
    case 'malformed':
      return textAnswer(400, 'The body must be JSON as the webhooks of the mail provider send it.')
    case 'bounces':
      await markBounced(database, report.bounces, now())
      return textAnswer(200, 'Thank you.')
    case 'arrived':
      await countArrived(database, report.identities, now())
      return textAnswer(200, 'Thank you.')
    case 'other':
      return textAnswer(200, 'Thank you.')
    default:
      return report satisfies never
  }
}

/** Mail to the owner and test mails belong to no subscriber. A report that a provider repeats counts again. */
async function countArrived({ query }: Database, identities: string[], now: number): Promise<void> {
  const count = (await findActive(query, identities)).length
  if (count > 0) await addDailyCounts(query, [{ day: dayOf(now), event: 'arrived', detail: '', count }])
}

function notProved(): Answer {
  return textAnswer(401, 'The token is missing or wrong.', { 'www-authenticate': 'Basic realm="bounces"' })
}

/** The token as bearer, or as the password of any user: a webhook's URL can carry no more than `https://user:password@…`. */
function credentialOf({ headers: { authorization = '' } }: IncomingMessage): string {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) (\S+)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  const pair = Buffer.from(value, 'base64').toString()
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : ''
}
