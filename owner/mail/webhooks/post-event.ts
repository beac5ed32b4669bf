import { Webhook } from 'standardwebhooks'
import type { Config } from '#server/settings/config.ts'
import { readRetryAfter } from '#server/transports/mail-api.ts'
import { smtpFailure } from '#server/transports/smtp-failure.ts'
import { newMessageId } from './record-event.ts'

export type Endpoint = NonNullable<Config['webhook']>

export interface Posted {
  isDelivered: boolean
  /** `http 200`, or a code of the network such as ECONNREFUSED. */
  answer: string
  /** The wait that the receiver asks for. 0: none. */
  retryAfterMs: number
}

const timeoutMs = 15_000

/**
 * Posts one event after Standard Webhooks 1.0.0. Each secret signs: the receiver may know only the
 * old or only the new one.
 */
export async function postEvent(
  { url, secrets }: Pick<Endpoint, 'url' | 'secrets'>,
  { message_id: id, body }: { message_id: string; body: string },
  now: number,
): Promise<Posted> {
  const at = new Date(now)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'starter-bot',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await reply.body?.cancel()
    const retryAfterMs = readRetryAfter(reply.headers.get('retry-after'), now) ?? 0
    return { isDelivered: reply.ok, answer: `http ${reply.status}`, retryAfterMs }
  } catch (cause) {
    const fault = cause instanceof Error ? (cause.cause ?? cause) : cause // the network's own
    return { isDelivered: false, answer: smtpFailure(fault).why, retryAfterMs: 0 }
  }
}

const exampleData = {
  subscriber: 0,
  state: 'active',
  form: 'hero',
  campaign: 'none',
  language: 'en',
  announcements: true,
  email: 'somebody@example.com',
}

/** Sends an event with every field, about nobody. */
export function postTestEvent(endpoint: Endpoint, now: number): Promise<Posted> {
  const event = { message_id: newMessageId(), body: bodyOf('webhook.test', now, exampleData) }
  return postEvent(endpoint, event, now)
}

export function bodyOf(type: string, occurredAt: number, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(occurredAt).toISOString(), data })
}
