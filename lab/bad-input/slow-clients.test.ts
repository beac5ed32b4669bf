import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { anonKey, functionPath, type TestApp, testApp } from '#rigs/server/test-app.ts'
import { promisedLimits } from '#server/http/server.ts'

/** A hundredth of the real ones. */
const clientLimits = {
  headersTimeout: promisedLimits.headersTimeout / 100,
  requestTimeout: promisedLimits.requestTimeout / 100,
  connectionsCheckingInterval: promisedLimits.connectionsCheckingInterval / 100,
}
const head = `POST ${functionPath} HTTP/1.1\r\nhost: bot.example\r\ncontent-type: application/json\r\napikey: ${anonKey}\r\n`

test('slow headers are cut within the promised 20 s, slow bodies within 60 s', () => {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = promisedLimits
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(20_000)
  expect(requestTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(60_000)
})

test.each([
  ['says nothing at all', '', ''],
  ['sends its headers letter by letter', head, 'x'],
  ['never ends its headers', head, 'x-more: y\r\n'],
  ['sends its body letter by letter', `${head}content-length: 4000\r\n\r\n`, ' '],
  ['sends its chunks one letter at a time', `${head}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  [
    'never ends a body nobody reads',
    'POST / HTTP/1.1\r\nhost: bot.example\r\ncontent-length: 4000\r\n\r\n',
    ' ',
  ],
])('a client that %s is cut, and nothing is stored', async (_what, first, piece) => {
  const app = await testApp({ clientLimits })
  const socket = dribble(app, first, piece)
  const received = collect(socket)
  // A reset is an end as well, and would reject once().
  await new Promise((resolve) => socket.on('close', resolve))
  expect(received()).not.toMatch(/^HTTP\/1\.1 [25]/)
  expect(await app.database.query.selectFrom('subscribers').select('id').execute()).toEqual([])
})

test('while many clients send slowly, others are served', async () => {
  const app = await testApp() // a busy machine may need a hundredth of the limits for a request of its own
  const slow = Array.from({ length: 100 }, () => dribble(app, head, 'x'))
  await Promise.all(slow.map((socket) => once(socket, 'connect')))
  expect((await app.signUp('ada@example.com')).status).toBe(200)
})

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

function collect(socket: Socket): () => string {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}
