import type { IncomingMessage } from 'node:http'

const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(?::\d{0,5})?$/i

/**
 * False for a request that gets 400: RFC 9112 3.2 asks for one valid Host, and HTTP 0.9 and 2.0
 * have no meaning here.
 */
export function isValidRequest({ url = '', httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (!url.startsWith('/') || (httpVersion !== '1.1' && httpVersion !== '1.0')) return false
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() !== 'host') continue
    hosts += 1
    if (hosts > 1 || !hostForm.test(rawHeaders[index + 1]!)) return false
  }
  return hosts === 1 || httpVersion === '1.0'
}
