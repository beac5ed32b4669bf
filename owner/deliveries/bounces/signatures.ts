import { createHmac, verify, X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isSameSecret } from '#server/http/gate.ts'
import { valueAt } from './reports.ts'

const secretPrefix = 'whsec_'
/** A request that is older may have been recorded by somebody and sent again. */
const toleranceMs = 5 * 60_000

/** Resend signs with Svix. Standard Webhooks uses the same signature under other header names. */
export function isSigned({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return signatureHeader(headers, 'signature') !== ''
}

/** Checks as docs.svix.com/receiving/verifying-payloads/how-manual says, read on 22 November 2026. */
export function hasValidSignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { secret, now }: { secret: string; now: number },
): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    signatureHeader(headers, name),
  )
  if (!secret.startsWith(secretPrefix) || !/^\d{1,12}$/.test(timestamp!)) return false
  if (Math.abs(now - Number(timestamp) * 1000) > toleranceMs) return false
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  // Several while a secret is being replaced.
  return signatures!.split(' ').some((one) => isSameSecret(one, `v1,${digest}`))
}

function signatureHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[`svix-${name}`] ?? headers[`webhook-${name}`]
  return typeof value === 'string' ? value : ''
}

/** docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html, read on 22 November 2026. */
const signedFields = [
  'Message',
  'MessageId',
  'Subject',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
]
const digests = new Map([
  ['1', 'sha1'],
  ['2', 'sha256'],
])
const topicForm = /^arn:aws[a-z-]*:sns:[a-z\d-]+:\d{12}:[\w-]{1,256}$/

/** `unknown`: the certificate cannot be had now. */
export async function verifySnsMessage(message: unknown): Promise<'valid' | 'invalid' | 'unknown'> {
  const digest = digests.get(textAt(message, 'SignatureVersion'))
  const certificateUrl = textAt(message, 'SigningCertURL')
  const link = textAt(message, 'SubscribeURL')
  if (!digest || !isOfSns(certificateUrl) || !topicForm.test(textAt(message, 'TopicArn'))) return 'invalid'
  if (link !== '' && !isOfSns(link)) return 'invalid'
  const certificate = await readCertificate(certificateUrl)
  if (!certificate) return 'unknown'
  const given = signedFields.filter((name) => valueAt(message, name) !== undefined)
  const signed = given.map((name) => `${name}\n${textAt(message, name)}\n`).join('')
  const signature = Buffer.from(textAt(message, 'Signature'), 'base64')
  return verify(digest, Buffer.from(signed), certificate.publicKey, signature) ? 'valid' : 'invalid'
}

/** Returns an empty text if there is none. */
export function textAt(message: unknown, name: string): string {
  const value = valueAt(message, name)
  return typeof value === 'string' ? value : ''
}

/** Matches Amazon's own hosts, so that nobody can make us trust their certificate or call their host. */
function isOfSns(address: string): boolean {
  // A user, a password or a port would stand in the normalized address.
  const { href = '' } = URL.parse(address) ?? {}
  return /^https:\/\/sns\.[a-z\d-]{1,32}\.amazonaws\.com(?:\.cn)?\//.test(href)
}

/** The last one that was fetched. Amazon changes it once a year. */
let known: { url: string; certificate: X509Certificate } | undefined
const maxCertificateBytes = 16 * 1024

/** Resolves to undefined if it cannot be had, or is not valid today. */
async function readCertificate(url: string): Promise<X509Certificate | undefined> {
  if (known?.url === url && isValidToday(known.certificate)) return known.certificate
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
    const text = await answer.text()
    if (!answer.ok || text.length > maxCertificateBytes) return undefined
    const certificate = new X509Certificate(text)
    if (!isValidToday(certificate)) return undefined
    known = { url, certificate }
    return certificate
  } catch {
    return undefined
  }
}

function isValidToday({ validFromDate, validToDate }: X509Certificate): boolean {
  const today = Date.now()
  return validFromDate.getTime() <= today && today <= validToDate.getTime()
}
