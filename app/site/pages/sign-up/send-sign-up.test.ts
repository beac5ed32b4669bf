import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sendSignUp } from './send-sign-up.ts'

let server: Server
let functionsUrl: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
const asked: { path: string | undefined; headers: IncomingMessage['headers']; body: string }[] = []

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  asked.length = 0
  server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    asked.push({ path: request.url, headers: request.headers, body })
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  functionsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/functions/v1` // listening on TCP
})

afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const json = (status: number, body: string, type = 'application/json') =>
  void (answer = (_, response) => response.writeHead(status, { 'content-type': type }).end(body))
const send = (anonKey = 'a.jwt.key', headers: Record<string, string> = {}) =>
  sendSignUp('ana@example.com', headers, { functionsUrl, anonKey })

const date = 'Sun, 22 Nov 2026 10:00:00 GMT'
const next = '2026-11-22T10:14:00Z'

test.each([
  ['a new sign-up', '{"alreadyExists":false}', { kind: 'sent', receiptUrl: undefined }],
  ['nothing, as the specification leaves it open', '{}', { kind: 'sent', resendInMs: undefined }],
  ['a known address', '{"alreadyExists":true}', { kind: 'already-on-list', resent: false }],
  [
    'a mail sent again',
    `{"alreadyExists":true,"resentAt":"${next}","nextResendAt":null}`,
    { resent: true },
  ],
  ["a wait, by the server's clock", `{"nextResendAt":"${next}"}`, { resendInMs: 840_000 }],
])('the answer %s is a success, with nothing in the console', async (_, body, expected) => {
  answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', date }).end(body)
  expect(await send()).toMatchObject(expected)
  expect(console.error).not.toHaveBeenCalled()
})

test('the body is the address alone, with everything else in headers and the credential as key and as bearer', async () => {
  json(200, '{"receipt":"r"}')
  const { origin } = new URL(functionsUrl)
  expect(await send('a.jwt.key', { 'x-attribution': 'form=hero' })).toMatchObject({
    receiptUrl: `${origin}/receipts/r`,
  })
  expect(asked).toHaveLength(1)
  expect(asked[0]?.path).toBe('/functions/v1/send-starter-bot-email')
  expect(asked[0]?.body).toBe('{"email":"ana@example.com"}')
  expect(asked[0]?.headers).toMatchObject({
    apikey: 'a.jwt.key',
    authorization: 'Bearer a.jwt.key',
    'content-type': 'application/json',
    'x-attribution': 'form=hero',
  })
})

test('a publishable key is sent as apikey alone', async () => {
  json(200, '{}')
  await send('sb_publishable_x')
  expect(asked[0]?.headers.apikey).toBe('sb_publishable_x')
  expect(asked[0]?.headers.authorization).toBeUndefined()
})

const error = '{"error":{"code":"x","message":"x"}}'
const page = '<html>Log in to this wifi</html>'

test.each([
  [400, error, 'application/json'],
  [401, error, 'application/json'],
  [429, error, 'application/json'],
  [503, error, 'application/json'],
  [200, error, 'application/json'],
  [200, page, 'text/html'],
  [200, '{"success":', 'application/json'],
  [200, 'null', 'application/json'],
])('the answer %i %s is a refusal, and logged', async (status, body, type) => {
  json(status, body, type)
  expect(await send()).toEqual({ kind: 'refused', retryInMs: undefined })
  expect(console.error).toHaveBeenCalledOnce()
})

test.each([
  ['seconds', 429, '540', 540_000],
  ["a date, by the server's clock", 429, 'Sun, 22 Nov 2026 10:09:00 GMT', 540_000],
  ['neither', 429, 'soon', undefined],
  ['seconds, after a fault', 503, '30', undefined],
])('Retry-After is %s: with status %i "%s" is read', async (_, status, retryAfter, retryInMs) => {
  const headers = { 'content-type': 'application/json', 'retry-after': retryAfter, date }
  answer = (_request, response) => response.writeHead(status, headers).end(error)
  expect(await send()).toEqual({ kind: 'refused', retryInMs })
  expect(console.error).toHaveBeenCalledOnce()
})

test('a cut connection is unreachable, and logged', async () => {
  answer = (request) => request.socket.destroy()
  expect(await send()).toEqual({ kind: 'unreachable' })
  expect(console.error).toHaveBeenCalledOnce()
})

test('a connection cut in the middle of the answer is unreachable', async () => {
  answer = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '40' })
    response.write('{"success"', () => setImmediate(() => request.socket.destroy()))
  }
  expect(await send()).toEqual({ kind: 'unreachable' })
})

test.each([
  ['a receipt', '{"receipt":{"toString":1}}'],
  ['a time', '{"nextResendAt":{"toString":1,"valueOf":1}}'],
])('%s that throws when it is read ends the call, and is logged', async (_, body) => {
  json(200, body)
  expect(await send()).toEqual({ kind: 'unreachable' })
  expect(console.error).toHaveBeenCalledOnce()
})

test('a server that does not answer in time is unreachable', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answer = () => void vi.advanceTimersByTime(30_000)
  expect(await send()).toEqual({ kind: 'unreachable' })
})
