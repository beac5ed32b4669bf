// Receives TradingView's alerts on your own server. It needs Node 20.11 or later and nothing else.
// MIT licence.
//   SECRET=some-22-random-characters PORT=8080 HOPS=1 node webhook-receiver.mjs
// TradingView calls the ports 443 and 80 only. Let a proxy with a certificate, such as Caddy,
// answer there and pass to PORT. HOPS is the number of proxies, so 0 without one. The address for
// the alert: https://YOUR-DOMAIN/hook/YOUR-SECRET
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

// The addresses that TradingView sends from:
// https://www.tradingview.com/support/solutions/43000529348/ (2026-11-22).
const senders = new Set(['52.89.214.238', '34.212.75.30', '54.218.53.128', '52.32.178.7'])
// TradingView repeats 3 times, 5 s apart. An order the same way takes two bars, so bars need 15 s.
const repeatMs = 30_000
const hash = (text) => createHash('sha256').update(text).digest()

export function createReceiver({ secret, hops, placeOrder, now = Date.now }) {
  const path = hash(`/hook/${secret}`)
  const seen = new Map()
  async function statusFor(request) {
    // Hashes of one length compare in constant time.
    if (!timingSafeEqual(hash(request.url), path)) return 404
    const { 'x-forwarded-for': forwarded = '' } = request.headers
    const client = forwarded.split(',').at(-hops)?.trim()
    const sender = hops > 0 ? client : request.socket.remoteAddress?.replace('::ffff:', '')
    if (!senders.has(sender)) return 403
    let body = ''
    for await (const chunk of request) {
      body += chunk
      if (body.length > 10_000) return 413
    }
    const message = JSON.parse(body)
    if (!['buy', 'sell'].includes(message.action) || !message.ticker) return 400
    for (const [old, at] of seen) {
      if (now() - at > repeatMs) seen.delete(old)
    }
    if (seen.has(body)) return 200
    seen.set(body, now())
    // Not awaited: after 3 seconds without an answer TradingView hangs up.
    Promise.resolve(message).then(placeOrder).catch(console.error)
    return 200
  }
  return createServer((request, response) => {
    const answer = (status) => response.writeHead(status, { connection: 'close' }).end()
    statusFor(request).then(answer, () => answer(400)) // It is not JSON.
  })
}

if (process.argv[1] === import.meta.filename) {
  const { SECRET = '', PORT = '8080', HOPS = '1' } = process.env
  if (SECRET.length < 22) throw new Error('SECRET needs 22 random characters or more.')
  const placeOrder = (message) => console.log('Replace this line by your order:', message)
  createReceiver({ secret: SECRET, hops: Number(HOPS), placeOrder }).listen(Number(PORT))
}
