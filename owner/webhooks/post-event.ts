import { createHmac } from 'node:crypto'
import { readRetryAfter } from '#server/transports/mail-api.ts'

export interface Endpoint {
  url: string
  /** Each signs: the receiver may know only the old or only the new one. */
  secrets: readonly string[]
}

/** `gone`: the receiver wants no more events. `why` holds neither address nor URL. */
export type PostOutcome =
  | { kind: 'delivered'; status: number }
  | { kind: 'gone'; why: string }
  | { kind: 'not-delivered'; why: string; retryAfterMs: number }

const timeoutMs = 15_000

/** Longer than one try takes. */
export const postLeaseMs = timeoutMs + 30_000

/** Standard Webhooks 1.0.0 (github.com/standard-webhooks/standard-webhooks, read on 22 November 2026). */
export async function postEvent(
  { url, secrets }: Endpoint,
  { id, body }: { id: string; body: string },
  now: number,
): Promise<PostOutcome> {
  const timestamp = String(Math.floor(now / 1000))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'starter-bot',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`)).join(' '),
  }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    if (answer.ok) return { kind: 'delivered', status: answer.status }
    const why = `http ${answer.status}`
    if (answer.status === 410) return { kind: 'gone', why }
    const retryAfterMs = readRetryAfter(answer.headers.get('retry-after'), now) ?? 0
    return { kind: 'not-delivered', why, retryAfterMs }
  } catch (cause) {
    return { kind: 'not-delivered', why: codeOf(cause), retryAfterMs: 0 }
  }
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/** The message may quote the URL. */
function codeOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'failed'
  if (fault.name === 'TimeoutError') return 'timed out'
  const { cause } = fault
  return cause instanceof Error && 'code' in cause ? String(cause.code) : fault.name
}
