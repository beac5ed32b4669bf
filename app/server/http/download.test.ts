import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { type Download, sendDownload } from './download.ts'

const file: Download = {
  name: 'digits.txt',
  mediaType: 'text/plain',
  sha256: 'abc',
  contents: Buffer.from('0123456789'),
}

function ask(headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') {
  const app = Fastify()
  app.get('/file', (request, reply) => sendDownload(request, reply, file))
  return app.inject({ url: '/file', method, headers })
}

test.each([
  ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
  ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
  ['bytes=-2', 206, '89', 'bytes 8-9/10'],
  ['bytes=-20', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  ['bytes=3-2', 200, '0123456789', undefined],
  ['bytes=0-1,4-5', 200, '0123456789', undefined],
  ['lines=0-1', 200, '0123456789', undefined],
  ['bytes=-', 200, '0123456789', undefined],
])('Range: %s is answered with %i', async (range, status, body, contentRange) => {
  const answer = await ask({ range })
  expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([
    status,
    body,
    contentRange,
  ])
  expect(answer.headers['accept-ranges']).toBe('bytes')
})

test('a range of a file that has changed since is answered with the whole file', async () => {
  expect((await ask({ range: 'bytes=0-3', 'if-range': '"old"' })).body).toBe('0123456789')
  expect((await ask({ range: 'bytes=0-3', 'if-range': '"abc"' })).body).toBe('0123')
})

test('HEAD has the length and no body', async () => {
  const { statusCode, headers, body } = await ask({ range: 'bytes=0-3' }, 'HEAD')
  expect([statusCode, headers['content-length'], body]).toEqual([200, '10', ''])
})

test('a client that has the file is answered with 304', async () => {
  expect((await ask({ 'if-none-match': 'W/"abc"' })).statusCode).toBe(304)
})
