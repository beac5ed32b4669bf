import type { IncomingMessage } from 'node:http'

const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(?::\d{0,5})?$/i

/** The path as it came, without the query. Undefined: no request for one of our pages can look like that. */
export function requestPath({ url = '', httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  // Node's parser also takes 0.9 and 2.0, which have no meaning here.
  if (!url.startsWith('/') || (httpVersion !== '1.1' && httpVersion !== '1.0')) return undefined
  if (!isHostSound(rawHeaders)) return undefined
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** RFC 9112 3.2: more than one Host, or one that cannot be a host, is answered with 400. */
function isHostSound(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    hosts += 1
    if (hosts > 1 || !hostForm.test(rawHeaders[index + 1]!)) return false
  }
  return true
}
