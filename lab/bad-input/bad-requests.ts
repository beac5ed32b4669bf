import { readFileSync } from 'node:fs'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { sendRaw } from '#rigs/raw-http.ts'
import { anonKey, functionPath } from '#rigs/server/test-app.ts'

/** One request of which a character is a byte on the wire. */
interface RequestParts {
  line?: string
  /** Null takes a header away. */
  headers?: Record<string, string | null>
  /** As they stand, each with its line end. */
  rawHeaders?: string
  body?: string
  lineEnd?: string
  /** Instead of everything else. */
  bytes?: string
}

interface BadRequest extends RequestParts {
  /** The fault for which it must be refused. */
  why: string
}

/** Requests with the same fault: each of `send` with each of `values` in place of «value». */
interface Group {
  why: string
  send: RequestParts[]
  values?: (string | null)[]
}

/** Accepted as a sign-up, so a bad request is refused for its fault alone. */
const goodBody = '{"email":"smuggled@example.com"}'
const goodHeaders = {
  host: 'bot.example',
  authorization: `Bearer ${anonKey}`,
  'content-type': 'application/json',
}

const groups: Record<string, Group[]> = JSON.parse(
  readFileSync(new URL('bad-requests.json', import.meta.url), 'utf8'),
)
export const badRequests = Object.fromEntries(
  Object.entries(groups).map(([table, all]) => [table, all.flatMap(requestsOf)]),
)
badRequests['wrongEncodings']?.push(...inUtf16())
badRequests['bodies']?.push(...compressed())

/**
 * A whole request, by default a good one. Its content-length is right unless another header says
 * something about it.
 */
export function requestText(parts: RequestParts = {}): string {
  if (parts.bytes !== undefined) return parts.bytes
  const {
    line = `POST ${functionPath} HTTP/1.1`,
    headers = {},
    rawHeaders = '',
    body = goodBody,
  } = parts
  const saysLength = /content-length|transfer-encoding/i.test(
    rawHeaders + Object.keys(headers).join(),
  )
  const length = saysLength ? {} : { 'content-length': String(body.length) }
  const lines = Object.entries({ ...goodHeaders, ...length, ...headers }).flatMap(
    ([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]),
  )
  return `${line}\r\n${lines.join('')}${rawHeaders}\r\n${body}`.replaceAll(
    '\r\n',
    parts.lineEnd ?? '\r\n',
  )
}

/** The requests that got neither a 4xx nor the end of their connection. */
export async function sendAll(port: number, requests: readonly BadRequest[]): Promise<string[]> {
  const faults = requests.map(async (request) => {
    const { statuses, ended } = await sendRaw(port, requestText(request))
    if (statuses.length === 0 && !ended) return [`${request.why}: neither answered nor cut off`]
    const accepted = statuses.filter((status) => status < 400 || status >= 500)
    return accepted.length > 0 ? [`${request.why}: ${accepted.join()}`] : []
  })
  return (await Promise.all(faults)).flat()
}

function requestsOf({ why, send, values = [''] }: Group): BadRequest[] {
  return send.flatMap((parts) =>
    values.map((value) => ({
      why: `${why}: ${parts.line ?? ''} ${value?.slice(0, 60)}`,
      ...filled(parts, value),
    })),
  )
}

function filled(parts: RequestParts, value: string | null): RequestParts {
  const fill = (text: string) => expanded(text.replaceAll('«value»', () => value ?? ''))
  return JSON.parse(JSON.stringify(parts), (_key, found: unknown) => {
    if (typeof found !== 'string') return found
    return found === '«value»' && value === null ? null : fill(found)
  })
}

/** «a × 3» is aaa; «body» is the good body, «size» its length, «hex» the same in hexadecimal. */
function expanded(text: string): string {
  const size = goodBody.length
  const facts: Record<string, string> = {
    body: goodBody,
    size: String(size),
    'size+1': String(size + 1),
    hex: size.toString(16),
    'hex-1': (size - 1).toString(16),
  }
  return text
    .replaceAll(/«([^«»]+) × (\d+)»/g, (_all, unit: string, times: string) =>
      unit.repeat(Number(times)),
    )
    .replaceAll(/«([^«»]+)»/g, (_all, name: string) => facts[name] ?? '')
}

function inUtf16(): BadRequest[] {
  const utf16 = Buffer.from(goodBody, 'utf16le').toString('latin1')
  const bigEndian = Buffer.from(goodBody, 'utf16le').swap16().toString('latin1')
  return [utf16, bigEndian, `\xff\xfe${utf16}`].map((body) => ({ why: 'a body in UTF-16', body }))
}

function compressed(): BadRequest[] {
  const bodies: [coding: string, body: Buffer][] = [
    ['gzip', gzipSync(goodBody)],
    ['deflate', deflateSync(goodBody)],
    ['br', brotliCompressSync(goodBody)],
    ['gzip', Buffer.from(goodBody)],
    ['gzip', gzipSync(Buffer.alloc(1_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(goodBody))],
    ['nonsense', Buffer.from(goodBody)],
  ]
  return bodies.map(([coding, body]) => ({
    why: `content-encoding ${coding}`,
    headers: { 'content-encoding': coding },
    body: body.toString('latin1'),
  }))
}
