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
const sent = { kind: 'sent', resent: false, resendInMs: undefined, receiptUrl: undefined }

test('a new sign-up is sent, with nothing in the console', async () => {
  json(200, '{"success":true,"alreadyExists":false}')
  expect(await send()).toMatchObject(sent)
  expect(console.error).not.toHaveBeenCalled()
})

test('an answer without alreadyExists is a plain success, as the specification leaves it open', async () => {
  json(200, '{}')
  expect(await send()).toMatchObject(sent)
})

test('a known address is already on the list', async () => {
  json(200, '{"success":true,"alreadyExists":true}')
  expect(await send()).toMatchObject({ kind: 'already-on-list', resent: false })
})

test('the body is the address alone, with everything else in headers and the credential as key and as bearer', async () => {
  json(200, '{}')
  await send('a.jwt.key', { 'x-attribution': 'form=hero&campaign=newsletter' })
  expect(asked).toHaveLength(1)
  expect(asked[0]?.path).toBe('/functions/v1/send-starter-bot-email')
  expect(asked[0]?.body).toBe('{"email":"ana@example.com"}')
  expect(asked[0]?.headers).toMatchObject({
    apikey: 'a.jwt.key',
    authorization: 'Bearer a.jwt.key',
    'content-type': 'application/json',
    'x-attribution': 'form=hero&campaign=newsletter',
  })
})

test('a receipt is asked for at the root of the backend', async () => {
  json(
    200,
    '{"success":true,"alreadyExists":false,"resentAt":null,"nextResendAt":"2026-11-22T10:14:00Z","receipt":"r"}',
  )
  const { origin } = new URL(functionsUrl)
  expect(await send()).toMatchObject({
    receiptUrl: `${origin}/receipts/r`,
    isHidden: false,
  })
})

test('an answer without receipt and times is one of a hidden list', async () => {
  json(200, '{"success":true,"alreadyExists":false,"resentAt":null,"nextResendAt":null,"receipt":null}')
  expect(await send()).toMatchObject({ isHidden: true })
})

test('an answer says that the mail was sent again', async () => {
  json(200, '{"alreadyExists":true,"resentAt":"2026-11-22T10:00:00.000Z","nextResendAt":null}')
  expect(await send()).toMatchObject({ kind: 'already-on-list', resent: true, resendInMs: undefined })
})

test("the time until the next mail is measured by the server's clock", async () => {
  answer = (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', date: 'Sun, 22 Nov 2026 10:00:00 GMT' })
      .end('{"alreadyExists":true,"resentAt":null,"nextResendAt":"2026-11-22T10:14:00.000Z"}')
  expect(await send()).toMatchObject({ kind: 'already-on-list', resent: false, resendInMs: 840_000 })
})

test('a publishable key is sent as apikey alone', async () => {
  json(200, '{}')
  await send('sb_publishable_x')
  expect(asked[0]?.headers.apikey).toBe('sb_publishable_x')
  expect(asked[0]?.headers.authorization).toBeUndefined()
})

test.each([400, 401, 413, 429, 500, 503])('status %i is a refusal, and logged', async (status) => {
  json(status, '{"error":{"code":"x","message":"x"}}')
  expect(await send()).toEqual({ kind: 'refused' })
  expect(console.error).toHaveBeenCalledOnce()
})

test('an error in an answer of 200 is a refusal', async () => {
  json(200, '{"error":{"code":"x","message":"x"}}')
  expect(await send()).toEqual({ kind: 'refused' })
})

test.each([
  ['a page in place of JSON', '<html>Log in to this wifi</html>', 'text/html'],
  ['broken JSON', '{"success":', 'application/json'],
  ['null', 'null', 'application/json'],
])('%s is never a success', async (_, body, type) => {
  json(200, body, type)
  expect(await send()).toEqual({ kind: 'refused' })
  expect(console.error).toHaveBeenCalledOnce()
})

test('a cut connection is unreachable, and logged', async () => {
  answer = (request) => request.socket.destroy()
  expect(await send()).toEqual({ kind: 'unreachable' })
  expect(console.error).toHaveBeenCalledOnce()
})

test('a connection cut in the middle of the answer is unreachable', async () => {
  answer = (request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': '40' })
      .write('{"success"')
    setTimeout(() => request.socket.destroy(), 20)
  }
  expect(await send()).toEqual({ kind: 'unreachable' })
})

test('a server that does not answer in time is unreachable', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answer = () => void vi.advanceTimersByTime(30_000)
  expect(await send()).toEqual({ kind: 'unreachable' })
})

test('an address that nothing listens on is unreachable', async () => {
  server.close()
  await once(server, 'close')
  expect(await send()).toEqual({ kind: 'unreachable' })
  server.listen(0, '127.0.0.1')
})
