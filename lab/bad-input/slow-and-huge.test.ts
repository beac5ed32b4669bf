import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { countRows } from '#rigs/server/rows.ts'
import { anonKey, functionPath, type TestApp, testApp } from '#rigs/server/test-app.ts'
import { clientLimits } from '#server/http/client-limits.ts'

const megabyte = 1024 * 1024
const { headersTimeout, requestTimeout, connectionsCheckingInterval } = clientLimits
/** A hundredth of the real ones. */
const shortLimits = {
  headersTimeout: headersTimeout / 100,
  requestTimeout: requestTimeout / 100,
  connectionsCheckingInterval: connectionsCheckingInterval / 100,
}
const head = (framing: string, path: string = functionPath, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nhost: bot.example\r\ncontent-type: ${type}\r\napikey: ${anonKey}\r\n${framing}`

test('slow headers are cut within the promised 20 s, slow bodies within 60 s', () => {
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(20_000)
  expect(requestTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(60_000)
})

test.each([
  ['says nothing at all', '', ''],
  ['sends its headers letter by letter', head(''), 'x'],
  ['never ends its headers', head(''), 'x-more: y\r\n'],
  ['sends its body letter by letter', head('content-length: 4000\r\n\r\n'), ' '],
  [
    'sends its chunks one letter at a time',
    head('transfer-encoding: chunked\r\n\r\n'),
    '1\r\n \r\n',
  ],
  ['never ends a body nobody reads', head('content-length: 4000\r\n\r\n', '/'), ' '],
])('a client that %s is cut, and nothing is stored', async (_what, first, piece) => {
  const app = await testApp({ limits: shortLimits })
  const socket = dribble(app, first, piece)
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  // A reset is an end as well, and would reject once().
  await new Promise((resolve) => socket.on('close', resolve))
  expect(received).not.toMatch(/^HTTP\/1\.1 [25]/)
  expect(await countRows(app.database)).toEqual({ subscribers: 0, deliveries: 0 })
})

test('while many clients send slowly, others are served', async () => {
  const app = await testApp()
  const slow = Array.from({ length: 100 }, () => dribble(app, head(''), 'x'))
  await Promise.all(slow.map((socket) => once(socket, 'connect')))
  expect((await app.signUp('ada@example.com')).status).toBe(200)
})

test.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
  'a huge body of %s is refused with an answer that a client can read',
  async (type) => {
    const app = await testApp()
    for (const size of [5_000, 100_000, megabyte / 2]) {
      const headers = { 'content-type': type, apikey: anonKey }
      const answer = await fetch(app.url + functionPath, {
        method: 'POST',
        headers,
        body: 'x'.repeat(size),
      })
      expect(answer.status).toBe(type === 'text/plain' ? 415 : 413)
      expect(answer.headers.get('connection')).toBe('close')
    }
  },
)

test.each([
  ['to the function, with its length', head('content-length: 104857600\r\n\r\n')],
  ['to the function, in chunks', head('transfer-encoding: chunked\r\n\r\n')],
  ['to a page', head('content-length: 104857600\r\n\r\n', '/', 'text/plain')],
])('an endless body %s is cut off after at most 8 MB', async (_where, first) => {
  const app = await testApp()
  const { answer, sent } = await pour(app.port, first)
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(answer).toMatch(/connection: close/i)
  expect(sent).toBeLessThan(8 * megabyte)
})

/** Writes a piece every 20 ms, until either side ends. */
function dribble({ port }: TestApp, first: string, piece: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(first)
  const timer = setInterval(() => piece !== '' && socket.write(piece), 20)
  const end = () => {
    clearInterval(timer)
    socket.destroy()
  }
  socket.on('close', end)
  onTestFinished(end)
  return socket
}

/** Writes as fast as the line takes it, until the server ends the connection. */
async function pour(port: number, first: string) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(first)
  const data = 'x'.repeat(16_384)
  const piece = first.includes('chunked') ? `4000\r\n${data}\r\n` : data
  while (!socket.destroyed) {
    const goesOn = socket.write(piece)
    await (goesOn
      ? new Promise(setImmediate)
      : Promise.race([once(socket, 'drain').catch(() => {}), closed]))
  }
  return { answer, sent: socket.bytesWritten }
}
