import { once } from 'node:events'
import { Agent, get, type RequestListener, type Server } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listen, stopListening } from './listen.ts'

/** So long that a server that waits for it fails the test by its time limit. */
const graceMs = 60_000

test('a request that has come but is not read yet when the server stops is answered', async () => {
  const { server, port } = await startServer((_request, response) => response.end('done'))
  const client = connect(port, '127.0.0.1')
  await Promise.all([once(client, 'connect'), once(server, 'connection')])
  client.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
  const stopping = stopListening(server, graceMs)
  const answer = await wholeAnswer(client)
  await stopping
  expect(answer).toContain('done')
})

test('a request half sent when the server stops is answered, and its connection ends', async () => {
  const { server, port } = await startServer((request, response) => {
    request.resume().once('end', () => response.end('done'))
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

test('a visitor who goes on asking over one connection does not keep the server from stopping', async () => {
  const { server, port } = await startServer((_request, response) => setImmediate(() => response.end('done')))
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

async function startServer(app: RequestListener): Promise<{ server: Server; port: number }> {
  const server = await listen(app, '127.0.0.1', 0)
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
