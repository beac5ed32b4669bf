import { describe, expect, test } from 'vitest'
import type { Coding } from './compress.ts'
import {
  answerStaticFile,
  chooseCoding,
  type FileRequest,
  makeStaticFile,
  readByteRange,
} from './static-files.ts'

const bytes = Buffer.from('0123456789')
const coded = new Map([
  ['br', Buffer.from('b')],
  ['gzip', Buffer.from('gz')],
] as const)
const file = makeStaticFile(bytes, coded, { 'content-type': 'text/plain', 'cache-control': 'no-cache' })

function ask(headers: FileRequest['headers'] = {}, method = 'GET', of = file) {
  return answerStaticFile({ method, headers }, of)
}

const etag = ask().headers['etag'] ?? ''
const etagOfBrotli = ask({ 'accept-encoding': 'br' }).headers['etag'] ?? ''

describe('a whole file', () => {
  test('is sent as it is to a client that names no coding', () => {
    const answer = ask()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(bytes)
    expect(answer.headers).toMatchObject({ 'content-length': '10', 'accept-ranges': 'bytes' })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })

  test('is sent in the chosen coding, with its length', () => {
    const answer = ask({ 'accept-encoding': 'gzip' })
    expect(answer.body).toEqual(Buffer.from('gz'))
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': '2' })
  })

  test('tells caches that it depends on Accept-Encoding, whichever coding is sent', () => {
    expect(ask().headers['vary']).toBe('accept-encoding')
    expect(ask({ 'accept-encoding': 'br' }).headers['vary']).toBe('accept-encoding')
    expect(ask({}, 'GET', makeStaticFile(bytes, new Map(), {})).headers).not.toHaveProperty('vary')
  })

  test('has the same headers and no body on HEAD', () => {
    const answer = ask({}, 'HEAD')
    expect(answer.body).toHaveLength(0)
    expect(answer.headers).toEqual(ask().headers)
  })

  test('has another ETag in each coding, and after each change', () => {
    expect(new Set([etag, etagOfBrotli, ask({ 'accept-encoding': 'gzip' }).headers['etag']]).size).toBe(3)
    expect(makeStaticFile(Buffer.from('other'), new Map(), {}).plain.etag).not.toBe(etag)
  })
})

describe('a file that the client has', () => {
  test.each([etag, `W/${etag}`, `"other", ${etag}`, '*'])('is not sent again: If-None-Match %s', (known) => {
    const answer = ask({ 'if-none-match': known })
    expect(answer.status).toBe(304)
    expect(answer.body).toHaveLength(0)
    const repeated = { 'content-type': 'text/plain', 'cache-control': 'no-cache', vary: 'accept-encoding' }
    expect(answer.headers).toEqual({ ...repeated, etag })
  })

  test('in another coding is sent', () => {
    expect(ask({ 'if-none-match': etag, 'accept-encoding': 'br' }).status).toBe(200)
  })

  test('is sent again if it is an error page', () => {
    const notFound = makeStaticFile(bytes, coded, {}, 404)
    expect(ask({ 'if-none-match': notFound.plain.etag }, 'GET', notFound)).toMatchObject({
      status: 404,
      body: bytes,
    })
    expect(ask({ range: 'bytes=0-1' }, 'GET', notFound)).toMatchObject({ status: 404, body: bytes })
  })
})

describe('a part of a file', () => {
  test('is one of the plain bytes, whatever coding the client accepts', () => {
    const answer = ask({ range: 'bytes=2-4', 'accept-encoding': 'br' })
    expect(answer.status).toBe(206)
    expect(answer.body.toString()).toBe('234')
    expect(answer.headers).toMatchObject({ 'content-range': 'bytes 2-4/10', 'content-length': '3', etag })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })

  test('beyond the end is refused, with the length of the file', () => {
    const answer = ask({ range: 'bytes=10-' })
    expect(answer).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } })
    expect(answer.body).toHaveLength(0)
  })

  test('continues a download of the same bytes only', () => {
    expect(ask({ range: 'bytes=5-', 'if-range': etag }).status).toBe(206)
    expect(ask({ range: 'bytes=5-', 'if-range': '"older"' })).toMatchObject({ status: 200, body: bytes })
    expect(ask({ range: 'bytes=5-', 'if-range': `W/${etag}` }).status).toBe(200)
    expect(ask({ range: 'bytes=5-', 'if-range': 'Sat, 21 Nov 2026 12:00:00 GMT' }).status).toBe(200)
  })

  test('is for GET alone: HEAD is answered for the whole file', () => {
    expect(ask({ range: 'bytes=2-4' }, 'HEAD')).toMatchObject({
      status: 200,
      headers: { 'content-length': '10' },
    })
  })

  test('is not sent of a file that the client has', () => {
    expect(ask({ range: 'bytes=2-4', 'if-none-match': etag }).status).toBe(304)
  })
})

const allCodings = new Map<Coding, true>([
  ['gzip', true],
  ['br', true],
])

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['zstd, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['gzip ; q=0.3', 'gzip'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
])('Accept-Encoding: %s gets %s', (header, coding) => {
  expect(chooseCoding(header, allCodings)).toBe(coding)
})

test.each([
  undefined,
  '',
  'identity',
  'deflate',
  'zstd',
  'gzip;q=0',
  'br;q=0, gzip;q=0.000',
  '*;q=0',
  'identity, gzip;q=0.5',
  'gzip;q=nonsense',
  ',;,',
])('Accept-Encoding: %s gets the plain bytes', (header) => {
  expect(chooseCoding(header, allCodings)).toBeUndefined()
})

test('a coding that is not available is passed over', () => {
  expect(chooseCoding('br, gzip', new Map([['gzip', true]]))).toBe('gzip')
  expect(chooseCoding('br', new Map())).toBeUndefined()
})

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=3-', { first: 3, last: 9 }],
  ['bytes=3-99', { first: 3, last: 9 }],
  ['bytes=-4', { first: 6, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['Bytes= 1-2', { first: 1, last: 2 }],
])('Range: %s of ten bytes is a part', (header, range) => {
  expect(readByteRange(header, 10)).toEqual(range)
})

test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0', 'bytes=99999999999999999999-'])(
  'Range: %s of ten bytes cannot be satisfied',
  (header) => {
    expect(readByteRange(header, 10)).toBe('unsatisfiable')
  },
)

test.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=5-2',
  'bytes=a-b',
  'bytes=1-2,4-5',
  'lines=1-2',
  'bytes=1.5-2',
])('Range: %s asks for the whole file', (header) => {
  expect(readByteRange(header, 10)).toBeUndefined()
})
