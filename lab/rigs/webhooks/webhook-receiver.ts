import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { serveHttp } from '../listening.ts'

interface ReceivedEvent {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
}

interface Answer {
  status: number
  headers?: Record<string, string>
}

type Behaviour = (event: ReceivedEvent) => Answer | Promise<Answer>

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' // of the standard's own example

/**
 * Checks each request as the library of Standard Webhooks does, and answers as the test tells it.
 */
export async function startWebhookReceiver(secret = webhookSecret) {
  const received: ReceivedEvent[] = []
  let behave: Behaviour = () => ({ status: 204 })
  const { url, close } = await serveHttp(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    if (headers['content-type'] !== 'application/json') return response.writeHead(415).end()
    // Throws, and so gives no answer, if the signature is wrong.
    const body = new Webhook(secret).verify(await text(request), headers) as Omit<
      ReceivedEvent,
      'id'
    >
    const event = { id: headers['webhook-id']!, ...body }
    received.push(event)
    const { status, headers: more } = await behave(event)
    response.writeHead(status, more).end()
  })
  onTestFinished(close)
  return {
    url: `${url}/hook`,
    received,
    behave: (by: Behaviour) => void (behave = by),
    types: () => received.map(({ type }) => type.replace('subscriber.', '')),
  }
}
