import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '#rigs/http/raw-http.ts'
import { countRows } from '#rigs/server/rows.ts'
import { anonKey, functionPath, startTestApp, type TestApp } from '#rigs/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    limits: { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
  })
})
afterAll(() => app.stop())

/** Accepted as a sign-up, so a bad request is refused for its fault alone. */
const goodBody = '{"email":"smuggled@example.com"}'
const chunks = `${goodBody.length.toString(16)}\r\n${goodBody}\r\n0\r\n\r\n`
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const unknownLink = `/kit/${'a'.repeat(22)}`

interface BadRequest {
  /** The fault for which it must be refused. */
  fault: string
  line?: string
  /** Null takes a header of a good request away. */
  headers?: Record<string, string | null>
  /** Further headers as they stand, each with its line end. */
  rawHeaders?: string
  /** One character is one byte on the wire. */
  body?: string
}

const badRequests: BadRequest[] = [
  // Smuggling: where one request ends, and whose it is. What a proxy in front could read otherwise.
  { fault: 'a length and chunks', rawHeaders: 'transfer-encoding: chunked\r\n', body: chunks },
  {
    fault: 'two lengths',
    rawHeaders: `content-length: ${goodBody.length}\r\ncontent-length: 5\r\n`,
  },
  { fault: 'a length that cuts the body', headers: { 'content-length': '5' } },
  { fault: 'a body that ends too early', headers: { 'content-length': '4000' } },
  {
    fault: 'chunks that are not the last coding',
    headers: { 'content-length': null },
    rawHeaders: 'transfer-encoding: chunked, gzip\r\n',
    body: chunks,
  },
  {
    fault: 'a hidden transfer coding',
    headers: { 'content-length': null },
    rawHeaders: 'transfer-encoding : chunked\r\n',
    body: chunks,
  },
  { fault: 'two hosts', rawHeaders: 'host: evil.example\r\n' },
  { fault: 'the same host twice', rawHeaders: 'Host: bot.example\r\n' },
  { fault: 'no host', headers: { host: null } },
  { fault: 'a host that is no name', headers: { host: 'bot.example/evil' } },
  { fault: 'a forged host', headers: { host: 'evil.example' } },
  { fault: 'HTTP/0.9', line: `POST ${functionPath} HTTP/0.9` },
  { fault: 'a header of 20 kB', headers: { x: 'x'.repeat(20_000) } },
  // The address of a request.
  { fault: 'a whole URL', line: `POST http://bot.example${functionPath} HTTP/1.1` },
  { fault: 'traversal', line: 'GET /assets/../build.json HTTP/1.1' },
  { fault: 'encoded traversal', line: 'GET /assets/%2e%2e%2fbuild.json HTTP/1.1' },
  { fault: 'a path that is no UTF-8', line: 'GET /%ff%fe HTTP/1.1' },
  { fault: 'another method', line: `PROPFIND ${functionPath} HTTP/1.1` },
  // Tokens.
  { fault: 'an unknown personal link', line: `GET ${unknownLink} HTTP/1.1` },
  { fault: 'an act of an unknown link', line: `POST ${unknownLink}/erase HTTP/1.1`, headers: form },
  {
    fault: 'one-click of an unknown link',
    line: `POST ${unknownLink}/unsubscribe HTTP/1.1`,
    headers: form,
    body: 'List-Unsubscribe=One-Click',
  },
  { fault: 'SQL for a token', line: "GET /kit/'or'1'='1 HTTP/1.1" },
  { fault: 'a wrong credential', headers: { authorization: `Bearer ${anonKey}x` } },
  { fault: 'a foreign origin', headers: { origin: 'https://evil.example' } },
  // The body.
  { fault: 'no media type', headers: { 'content-type': null } },
  {
    fault: 'a media type that only begins like JSON',
    headers: { 'content-type': 'application/jsonp' },
  },
  { fault: 'broken JSON', body: '{"email":"smuggled@example.com"' },
  { fault: 'JSON of another kind', body: '[{"email":"smuggled@example.com"}]' },
  { fault: 'an address of another type', body: '{"email":{"toString":"smuggled@example.com"}}' },
  { fault: 'an inherited name', body: '{"__proto__":{"email":"smuggled@example.com"}}' },
  { fault: 'a header in an address', body: '{"email":"a@b.co\\r\\nBcc: c@d.co"}' },
  { fault: 'two addresses', body: '{"email":"a@b.co, c@d.co"}' },
  { fault: 'bytes that are not UTF-8', body: '{"email":"\xe4smuggled@example.com"}' },
  { fault: 'a byte order mark', body: `\xef\xbb\xbf${goodBody}` },
  { fault: 'UTF-16', body: Buffer.from(goodBody, 'utf16le').toString('latin1') },
  {
    fault: 'a compressed body',
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(goodBody).toString('latin1'),
  },
  { fault: 'a form with an array', headers: form, body: 'email[]=smuggled%40example.com' },
  { fault: 'a large body', body: goodBody + ' '.repeat(5_000) },
]

test.each(badRequests)(
  'a request with $fault is refused or cut off, stores nothing, mails nothing and logs no error',
  async (request) => {
    const before = await traces()
    const { statuses, ended } = await sendRaw(app.port, requestText(request))
    expect(statuses.length > 0 || ended).toBe(true)
    for (const status of statuses) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
    expect(await traces()).toEqual(before)
  },
)

test('a good request is accepted after them', async () => {
  // Its limits are short: a busy machine may be too slow for them.
  await expect.poll(async () => (await sendRaw(app.port, requestText({}))).statuses).toEqual([200])
})

/** The traces that a request could leave behind. */
async function traces() {
  return {
    rows: await countRows(app.database),
    mails: app.mailer.attempts.length,
    log: app.log(),
  }
}

/** A whole request, by default a good one. */
function requestText(request: Partial<BadRequest>): string {
  const { line = `POST ${functionPath} HTTP/1.1`, rawHeaders = '', body = goodBody } = request
  const saysLength = rawHeaders.includes('content-length')
  const headers: Record<string, string | null> = {
    host: 'bot.example',
    authorization: `Bearer ${anonKey}`,
    'content-type': 'application/json',
    'content-length': saysLength ? null : String(body.length),
    ...request.headers,
  }
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line}\r\n${lines.join('')}${rawHeaders}\r\n${body}`
}
