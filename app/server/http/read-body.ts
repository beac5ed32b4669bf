import type { IncomingMessage } from 'node:http'

export type Body = { kind: 'whole'; bytes: Buffer } | { kind: 'too-large' } | { kind: 'cut-off' }

/** Reads a request's body, `maxBytes` at most. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    if (Number(request.headers['content-length']) > maxBytes) return resolve({ kind: 'too-large' })
    let chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) return void chunks.push(chunk)
      chunks = []
      resolve({ kind: 'too-large' })
    })
    request.on('end', () =>
      resolve({ kind: 'whole', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) }),
    )
    request.on('error', () => resolve({ kind: 'cut-off' }))
    request.on('close', () => resolve({ kind: 'cut-off' }))
  })
}
