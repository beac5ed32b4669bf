import type { IncomingMessage } from 'node:http'

const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(?::\d{0,5})?$/i

/** The path as it was sent, without the query. Undefined: no request for one of our pages can look like that. */
export function requestPath({ url = '', httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  // Node's parser also accepts 0.9 and 2.0, which have no meaning here.
  if (!url.startsWith('/') || (httpVersion !== '1.1' && httpVersion !== '1.0')) return undefined
  if (!isHostValid(rawHeaders, httpVersion)) return undefined
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** RFC 9112 3.2: no Host in HTTP/1.1, more than one, or one that cannot be a host is answered with 400. */
function isHostValid(rawHeaders: string[], httpVersion: string): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    hosts += 1
    if (hosts > 1 || !hostForm.test(rawHeaders[index + 1]!)) return false
  }
  return hosts === 1 || httpVersion === '1.0'
}

/** True for a browser that opens a page, not for its scripts. */
export function acceptsHtml({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** The token of `Authorization: Bearer TOKEN`. The scheme's case does not matter (RFC 9110 11.1). */
export function bearerToken({ headers }: IncomingMessage): string | undefined {
  return /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]
}

type Body = { kind: 'whole'; bytes: Buffer } | { kind: 'too-large' } | { kind: 'cut-off' }

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
    request.on('close', () => resolve({ kind: 'cut-off' })) // after the end it changes nothing
  })
}
