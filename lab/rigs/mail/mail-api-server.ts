import type { IncomingHttpHeaders } from 'node:http'
import { json } from 'node:stream/consumers'
import { type HttpServer, serveHttp } from '../listening.ts'

interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: unknown
}

/**
 * `mute` never answers; `cut` closes the connection instead; `cut-in-answer` closes it after half
 * of one.
 */
export type ApiBehaviour =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'mute'
  | 'cut'
  | 'cut-in-answer'

type Behave = (request: ReceivedRequest) => ApiBehaviour

/** A provider's HTTP API that answers as a test tells it. */
export interface MailApiServer extends HttpServer {
  /** In order of arrival. */
  requests: readonly ReceivedRequest[]
  /** Sets the answer to the next requests. */
  behave(by: ApiBehaviour | Behave): void
}

export async function startMailApiServer(
  behaviour: ApiBehaviour,
  port = 0,
): Promise<MailApiServer> {
  let behave: Behave = () => behaviour
  const requests: ReceivedRequest[] = []
  const served = await serveHttp(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const body = method === 'POST' ? await json(request) : undefined
    const received = { method, path, headers, body }
    requests.push(received)
    const answer = behave(received)
    if (answer === 'mute') return
    if (answer === 'cut') return void request.socket.destroy()
    if (answer === 'cut-in-answer') {
      response.writeHead(200, { 'content-length': 100 })
      return void response.write('{"id":', () => request.socket.destroy())
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
  }, port)
  return {
    ...served,
    requests,
    behave: (by) => void (behave = typeof by === 'function' ? by : () => by),
  }
}

/** Answers as the providers document them; see app/server/transports/mail-api-providers.ts. */
export const documented = {
  resend: {
    accepted: { status: 200, body: { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' } },
    error: (statusCode: number, name: string, message = name) => ({
      status: statusCode,
      body: { statusCode, name, message },
    }),
  },
  postmark: {
    accepted: {
      status: 200,
      body: {
        To: 'ada@example.com',
        SubmittedAt: '2014-02-17T07:25:01.4178645-05:00',
        MessageID: '0a129aee-e1cd-480d-b08d-4f48548ff48d',
        ErrorCode: 0,
        Message: 'OK',
      },
    },
    error: (status: number, ErrorCode: number, Message = 'As documented.') => ({
      status,
      body: { ErrorCode, Message },
    }),
  },
}
