import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { anonKey, functionPath, testApp } from '#rigs/server/test-app.ts'

const megabyte = 1024 * 1024
const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain']

describe.each(types)('a huge body of %s', (type) => {
  test('is refused with 413, which a client that sends on for a while can read', async () => {
    const app = await testApp()
    for (const size of [5_000, 100_000, megabyte / 2]) {
      const answer = await fetch(app.url + functionPath, {
        method: 'POST',
        headers: { 'content-type': type, apikey: anonKey },
        body: 'x'.repeat(size),
      })
      expect(answer.status).toBe(type === 'text/plain' ? 415 : 413)
      expect(answer.headers.get('connection')).toBe('close')
    }
  })

  test.each(['content-length: 104857600', 'transfer-encoding: chunked'])(
    'that does not end (%s) is cut off after at most 8 MB',
    async (framing) => {
      const app = await testApp()
      const { answer, sent } = await pour(app.port, type, framing)
      expect(answer).toMatch(/^HTTP\/1\.1 41[35] /)
      expect(answer).toMatch(/connection: close/i)
      expect(sent).toBeLessThan(8 * megabyte)
    },
  )
})

test('a huge body to a page is not read to its end either', async () => {
  const app = await testApp()
  const { answer, sent } = await pour(app.port, 'text/plain', 'content-length: 104857600', '/')
  expect(answer).toMatch(/^HTTP\/1\.1 404 /)
  expect(sent).toBeLessThan(8 * megabyte)
})

/** Writes as fast as the line takes it, until the server ends the connection. */
async function pour(port: number, type: string, framing: string, path: string = functionPath) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: bot.example\r\napikey: ${anonKey}\r\ncontent-type: ${type}\r\n${framing}\r\n\r\n`,
  )
  const data = 'x'.repeat(16_384)
  const piece = framing.includes('chunked') ? `4000\r\n${data}\r\n` : data
  while (!socket.destroyed) {
    const goesOn = socket.write(piece)
    await (goesOn ? new Promise(setImmediate) : Promise.race([once(socket, 'drain').catch(() => {}), closed]))
  }
  return { answer, sent: socket.bytesWritten }
}
