import { createHmac } from 'node:crypto'
import { readRetryAfter } from '#server/transports/mail-api.ts'

export interface Endpoint {
  url: string
  /** Each signs: the receiver may know only the old or only the new one. */
  secrets: readonly string[]
}

interface Posted {
  /** `gone`: the receiver wants no more events. */
  kind: 'delivered' | 'gone' | 'not-delivered'
  /** Holds neither address nor URL. */
  why: string
  retryAfterMs: number
}

const timeoutMs = 15_000

/** Standard Webhooks 1.0.0 (github.com/standard-webhooks/standard-webhooks, read on 22 November 2026). */
export async function postEvent(
  { url, secrets }: Endpoint,
  { id, body }: { id: string; body: string },
  now: number,
): Promise<Posted> {
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
    const failure = answer.status === 410 ? 'gone' : 'not-delivered'
    const retryAfterMs = readRetryAfter(answer.headers.get('retry-after'), now) ?? 0
    return { kind: answer.ok ? 'delivered' : failure, why: `http ${answer.status}`, retryAfterMs }
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
