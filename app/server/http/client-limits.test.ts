import { writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeStubBuild } from '#rigs/server/stub-pages.ts'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'
import { sendRaw } from '#rigs/http/raw-http.ts'
import { clientLimits } from './client-limits.ts'

const request = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'

test('an answer that is not read is given up within the promised 60 s', () => {
  const { unreadAnswerTimeout, unreadCheckInterval } = clientLimits
  expect(unreadAnswerTimeout + 2 * unreadCheckInterval).toBeLessThanOrEqual(60_000)
})

test('a client that never reads is cut, and others are served meanwhile', async () => {
  const dist = makeStubBuild()
  writeFileSync(join(dist, 'assets/big-01.js'), Buffer.alloc(32 * 1024 * 1024))
  const app = await testApp({
    parts: { dist },
    limits: { unreadAnswerTimeout: 300, unreadCheckInterval: 20 },
  })
  const client = open(app).pause()
  client.write('GET /assets/big-01.js HTTP/1.1\r\nhost: localhost\r\n\r\n')
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  await expect.poll(() => connections(app)).toBeLessThanOrEqual(1) // that of fetch
  client.destroy()
})

test('a connection with more than two unanswered requests is cut', async () => {
  const app = await testApp()
  const last = request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')
  expect((await sendRaw(app.port, request + last, 60_000)).text.match(/\r\n\r\nok/g)).toHaveLength(
    2,
  )
  const cut = open(app)
  // Each reads the database first: Node 24.0 answers /healthz before it reads the next request.
  cut.write(request.replace('/healthz', '/kit/nobody').repeat(3))
  await new Promise((resolve) => cut.on('close', resolve))
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
})

test('one client may send many requests over its connection, one after the other', async () => {
  const app = await testApp({ limits: { maxRequestsPerSocket: 5 } })
  const client = open(app)
  const ask = async () => {
    client.write(request)
    return String(await once(client, 'data')).toLowerCase()
  }
  for (let turn = 0; turn < 4; turn += 1) expect(await ask()).toContain('connection: keep-alive')
  expect(await ask()).toContain('connection: close')
})

describe('connections', () => {
  test('above the limit are dropped', async () => {
    const app = await testApp({ limits: { maxConnections: 1 } })
    const first = open(app)
    await once(first, 'connect')
    expect(await sendRaw(app.port, request)).toMatchObject({ statuses: [], ended: true })
  })

  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address

  test.skipIf(address === undefined)(
    'of one peer have a limit, unless a proxy stands before us',
    async () => {
      for (const trustedProxies of [0, 1]) {
        const app = await testApp({
          config: { host: '0.0.0.0', trustedProxies },
          limits: { maxConnectionsPerPeer: 2 },
        })
        const held = [open(app, address), open(app, address)]
        await Promise.all(held.map((socket) => once(socket, 'connect')))
        const third = open(app, address)
        third.write(request)
        const answer = await Promise.race([
          once(third, 'data').then(String, () => 'reset'),
          once(third, 'close').then(
            () => 'reset',
            () => 'reset',
          ),
        ])
        expect(answer).toContain(trustedProxies === 0 ? 'reset' : 'ok')
        expect((await fetch(`${app.url}/healthz`)).status, 'another peer').toBe(200)
        held[0]!.destroy()
        await expect
          .poll(
            async () =>
              (await fetch(`http://${address}:${app.port}/healthz`).catch(() => undefined))?.status,
          )
          .toBe(200)
      }
    },
  )
})

describe('when the server stops', () => {
  test('idle connections are closed, and nothing new is taken', async () => {
    const app = await testApp()
    const idle = open(app)
    idle.write(request)
    await once(idle, 'data')
    await Promise.all([once(idle, 'close'), app.stopServer()])
    await expect(fetch(app.url)).rejects.toThrow()
  })
})

function open({ port }: TestApp, host = '127.0.0.1'): Socket {
  const socket = connect(port, host)
  socket.on('error', () => {}) // a reset is an end as well
  onTestFinished(() => void socket.destroy())
  return socket
}

function connections({ server }: TestApp): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_fault, count) => resolve(count))
  })
}
