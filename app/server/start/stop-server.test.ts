import { Agent, get } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '#rigs/server/test-app.ts'

test('in production a stop first answers on, and ends each connection with its answer', async () => {
  const { url, server, stopServer } = await testApp({
    config: { production: true },
    waits: { drainMs: 1_500 },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = async () => {
    const [answer]: IncomingMessage[] = await once(get(`${url}/healthz`, { agent }), 'response')
    answer!.resume()
    await once(answer!, 'end')
    return [answer!.statusCode, answer!.headers.connection]
  }
  expect(await ask()).toEqual([200, 'keep-alive'])
  const stopped = stopServer()
  expect(await ask()).toEqual([200, 'close']) // on the connection that was open
  expect(await ask()).toEqual([200, 'close']) // on a new one
  await stopped
  expect(server.listening).toBe(false)
})
