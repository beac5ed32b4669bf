import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'

/** The most that is read of a body nobody asked for, before the connection is cut. */
const maxUnwantedBytes = 1024 * 1024

/** Writes an answer. Where part of the request's body is unread, the connection ends with it. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return
  if (!request.complete && hasBody(request)) {
    response.setHeader('connection', 'close')
    cutOffUnwantedBody(request)
  }
  const { status, headers, body } = answer
  // Without a length Node sends in chunks: more bytes, and two writes for one.
  if (headers['content-length'] === undefined && status !== 204 && status !== 304) {
    headers['content-length'] = String(Buffer.byteLength(body))
  }
  response.writeHead(status, headers)
  response.end(body)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Reads on for a moment, so that the client is told why before its connection breaks. */
function cutOffUnwantedBody(request: IncomingMessage): void {
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxUnwantedBytes) request.socket.destroy()
  })
  request.resume()
}
