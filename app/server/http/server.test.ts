import dns from 'node:dns'
import { once } from 'node:events'
import { Agent, get, type Server } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sendRaw } from '#rigs/raw-http.ts'
import { readBody } from './request.ts'
import { securityHeaders } from './answer.ts'
import { type App, type ClientLimits, listen, promisedLimits, stopListening } from './server.ts'

const security = securityHeaders('https://bot.example', 'https://bot.example/functions/v1', {
  styleHashes: [],
  scriptHashes: [],
})
const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'
const done = { status: 200, headers: {}, body: 'done' }
/** A server that waits for it exceeds the time limit of the test. */
const graceMs = 60_000

test('a request that has arrived but is not read yet when the server stops is answered', async () => {
  const { server, port } = await startServer(async () => done)
  const client = connect(port, '127.0.0.1')
  await Promise.all([once(client, 'connect'), once(server, 'connection')])
  client.write(request)
  const stopping = stopListening(server, graceMs)
  const answer = await wholeAnswer(client)
  await stopping
  expect(answer).toContain('done')
})

test('localhost is this machine also where no resolver knows the name', async () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
  })
  const lookup = vi.spyOn(dns, 'lookup').mockImplementationOnce((...words: unknown[]) => {
    const tell = words.at(-1) as (fault: Error) => void // as node:net calls it
    setImmediate(tell, unknown)
  })
  onTestFinished(() => lookup.mockRestore())
  const server = await listen(async () => done, { host: 'localhost', port: 0, security })
  onTestFinished(() => void server.close())
  expect(lookup).toHaveBeenCalled()
  expect(server.address()).toMatchObject({ address: '127.0.0.1' })
})

test('a request half sent when the server stops is answered, and its connection ends', async () => {
  const { server, port } = await startServer(async (half) => {
    await readBody(half, 4)
    return done
  })
  const client = connect(port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 4\r\n\r\nab')
  await once(server, 'request')
  const stopping = stopListening(server, graceMs)
  client.write('cd')
  const answer = await wholeAnswer(client)
  await stopping
  expect(answer).toContain('done')
})

test('a client that keeps sending requests over one connection does not keep the server from stopping', async () => {
  const { server, port } = await startServer(async () => done)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = (): void =>
    void get({ port, agent, host: '127.0.0.1' }, (answer) => answer.resume().on('end', ask)).on(
      'error',
      () => {},
    )
  ask()
  await once(server, 'request')
  await stopListening(server, graceMs)
  expect(server.listening).toBe(false)
})

describe('a request that never reaches the app:', () => {
  test.each([
    ['a request that cannot be parsed', 'GET / HTTP/1.1\r\nno-colon\r\n\r\n', 400],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00', 400],
    ['headers of more than 16 KiB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an expectation that nobody meets', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: a miracle\r\n\r\n', 417],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n', 405],
    ['headers that do not end', 'GET / HTTP/1.1\r\nhost: a\r\n', 408],
  ])('%s is answered with our headers', async (_what, bytes, status) => {
    const { port } = await startServer(async () => done, {
      headersTimeout: status === 408 ? 50 : 10_000, // on a busy machine the bytes may take longer than 50 ms
      connectionsCheckingInterval: 20,
    })
    const answer = await sendRaw(port, bytes, 1_000)
    expect(answer.statuses).toEqual([status])
    const head = answer.text.split('\r\n\r\n')[0]?.toLowerCase()
    for (const header of Object.entries(security.data))
      expect(head).toContain(header.join(': ').toLowerCase())
    expect(head).toContain('cache-control: no-store')
    expect(answer.text.split('\r\n\r\n')[1]).toHaveLength(
      Number(/content-length: (\d+)/.exec(head ?? '')?.[1]),
    )
  })
})

test('a client that never reads is cut after the time for an answer, while others are served', async () => {
  const { answerTimeout, maxPipelinedRequests } = promisedLimits
  const limits = { answerTimeout: answerTimeout / 100, unreadCheckInterval: 50 }
  const page = { status: 200, headers: {}, body: Buffer.alloc(1024 * 1024) }
  const { server, port } = await startServer(async () => page, limits)
  const client = connect(port, '127.0.0.1').pause()
  client.on('error', () => {})
  const [atServer] = await once(server, 'connection')
  const start = performance.now()
  client.write(request.repeat(maxPipelinedRequests))
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  await once(atServer, 'close')
  expect(performance.now() - start).toBeGreaterThan(limits.answerTimeout - 1)
  client.destroy()
})

test('a connection with too many unanswered requests is cut at once', async () => {
  const { server, port } = await startServer(async () => done, { maxPipelinedRequests: 3 })
  expect((await sendRaw(port, request.repeat(3))).text.match(/done/g)).toHaveLength(3)
  const client = connect(port, '127.0.0.1').pause()
  client.on('error', () => {})
  const [atServer] = await once(server, 'connection')
  client.write(request.repeat(4))
  await once(atServer, 'close')
  client.destroy()
})

test('an answer that is read in time is not cut, and its connection serves the next request', async () => {
  const { port } = await startServer(async () => done, { answerTimeout: 50, unreadCheckInterval: 10 })
  const client = connect(port, '127.0.0.1')
  for (let turn = 0; turn < 3; turn += 1) {
    client.write(request)
    expect(String(await once(client, 'data'))).toContain('done')
    await sleep(60)
  }
  client.destroy()
})

test('an answer that is not read is given up within the promised 60 s', () => {
  const { answerTimeout, unreadCheckInterval } = promisedLimits
  expect(answerTimeout + 2 * unreadCheckInterval).toBeLessThanOrEqual(60_000)
})

test('a connection above the limit is dropped', async () => {
  const { port } = await startServer(async () => done, { maxConnections: 1 })
  const first = connect(port, '127.0.0.1')
  await once(first, 'connect')
  expect(await sendRaw(port, request)).toMatchObject({ statuses: [], ended: true })
  first.destroy()
})

test('the last request that a connection may send is answered with connection: close, one more is not answered', async () => {
  const { port } = await startServer(async () => done, { maxRequestsPerSocket: 2 })
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  const ask = async () => {
    client.write(request)
    return String(await once(client, 'data')).toLowerCase()
  }
  expect(await ask()).toContain('connection: keep-alive')
  expect(await ask()).toContain('connection: close')
  client.write(request)
  await once(client, 'close')
})

async function startServer(
  app: App,
  limits: Partial<ClientLimits> = {},
): Promise<{ server: Server; port: number }> {
  const options = { host: '127.0.0.1', port: 0, security, limits: { ...promisedLimits, ...limits } }
  const server = await listen(app, options)
  onTestFinished(() => server.closeAllConnections())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return { server, port: address.port }
}

async function wholeAnswer(client: ReturnType<typeof connect>): Promise<string> {
  let answer = ''
  client.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  await once(client, 'close')
  return answer
}
