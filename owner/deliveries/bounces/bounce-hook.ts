import type { IncomingMessage } from 'node:http'
import { ownerCommand } from '#server/configuration/project-files.ts'
import type { Database } from '#server/database/database.ts'
import { type Answer, textAnswer } from '#server/http/answer.ts'
import { hasMediaType, refusalAnswer } from '#server/http/gate.ts'
import { readBody } from '#server/http/request.ts'
import type { ExtensionContext } from '#server/start/extension.ts'
import { addDailyCounts, dayOf } from '#server/statistics/daily-counts.ts'
import { findActive } from '#server/subscribers/subscribers.ts'
import { markBounced } from './mark-bounced.ts'
import { readJson, readPostmarkReport, readResendReport, readSesReport, type Report } from './reports.ts'
import { hasValidSignature, isSigned, textAt, verifySnsMessage } from './signatures.ts'
import { keepSubscription, readTopics } from './sns-topics.ts'

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
  const report = readJson(body.bytes)
  if (isFromSns && !signed) return answerSns(report, deps)
  if (!signed) return applyReport(readPostmarkReport(report), deps)
  const { bounceToken: secret, checkSecret, now } = deps
  if (hasValidSignature(request.headers, body.bytes, { secret, now: now() }))
    return applyReport(readResendReport(report), deps)
  await checkSecret('', secret) // slows down guessing
  return notProved()
}

/** Amazon signs for everybody with an account there, so only the topics that the owner confirmed count. */
async function answerSns(message: unknown, deps: BounceHookDeps): Promise<Answer> {
  if (message === undefined) return applyReport({ kind: 'malformed' }, deps)
  const verdict = await verifySnsMessage(message)
  if (verdict === 'unknown')
    return textAnswer(503, "Amazon's certificate cannot be had now.", { 'retry-after': '30' })
  if (verdict === 'invalid') return textAnswer(403, 'The signature is missing or wrong.')
  const [type, topic] = [textAt(message, 'Type'), textAt(message, 'TopicArn')]
  const { query } = deps.database
  if (type === 'SubscriptionConfirmation') {
    await keepSubscription(query, topic, textAt(message, 'SubscribeURL'), deps.now())
    deps.log.warn(`an SNS topic waits for "${ownerCommand} bounces confirm"`, { topic })
    return textAnswer(200, 'Thank you. The owner has to confirm.')
  }
  if (type !== 'Notification') return textAnswer(200, 'Thank you.')
  if (!(await readTopics(query)).confirmed.includes(topic))
    return textAnswer(403, 'The owner has not confirmed this topic.')
  return applyReport(readSesReport(readJson(textAt(message, 'Message'))), deps)
}

async function applyReport(report: Report, { database, now }: BounceHookDeps): Promise<Answer> {
  if (report.kind === 'malformed')
    return textAnswer(400, 'The body must be JSON as the webhooks of the mail provider send it.')
  if (report.kind === 'bounces') await markBounced(database, report.bounces, now())
  if (report.kind === 'arrived') await countArrived(database, report.identities, now())
  return textAnswer(200, 'Thank you.')
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
