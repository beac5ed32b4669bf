import { describe, expect, test } from 'vitest'
import { answerStaticFile, makeStaticFile, type FileRequest } from './static-files.ts'

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
  test('goes out as it is to a client that names no coding', () => {
    const answer = ask()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(bytes)
    expect(answer.headers).toMatchObject({ 'content-length': '10', 'accept-ranges': 'bytes' })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })

  test('goes out in the coding chosen, with the length of that', () => {
    const answer = ask({ 'accept-encoding': 'gzip' })
    expect(answer.body).toEqual(Buffer.from('gz'))
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': '2' })
  })

  test('tells caches that it depends on Accept-Encoding, whichever coding is sent', () => {
    expect(ask().headers['vary']).toBe('accept-encoding')
    expect(ask({ 'accept-encoding': 'br' }).headers['vary']).toBe('accept-encoding')
    expect(ask({}, 'GET', makeStaticFile(bytes, new Map(), {})).headers).not.toHaveProperty('vary')
  })

  test('keeps its body to itself on HEAD, with the same headers', () => {
    const answer = ask({}, 'HEAD')
    expect(answer.body).toHaveLength(0)
    expect(answer.headers).toEqual(ask().headers)
  })

  test('has another ETag in each coding, and after each change', () => {
    expect(new Set([etag, etagOfBrotli, ask({ 'accept-encoding': 'gzip' }).headers['etag']]).size).toBe(3)
    expect(makeStaticFile(Buffer.from('other'), new Map(), {}).plain.etag).not.toBe(etag)
  })
})

describe('a file the client has', () => {
  test.each([etag, `W/${etag}`, `"other", ${etag}`, '*'])('is not sent again: If-None-Match %s', (known) => {
    const answer = ask({ 'if-none-match': known })
    expect(answer.status).toBe(304)
    expect(answer.body).toHaveLength(0)
    expect(answer.headers).toEqual({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  })

  test('in another coding is sent', () => {
    expect(ask({ 'if-none-match': etag, 'accept-encoding': 'br' }).status).toBe(200)
  })

  test('is sent again when it is a page for an error', () => {
    const notFound = makeStaticFile(bytes, coded, {}, 404)
    expect(ask({ 'if-none-match': notFound.plain.etag }, 'GET', notFound)).toMatchObject({
      status: 404,
      body: bytes,
    })
    expect(ask({ range: 'bytes=0-1' }, 'GET', notFound)).toMatchObject({ status: 404, body: bytes })
  })
})

describe('a part of a file', () => {
  test('goes out alone, as it is, whatever coding the client takes', () => {
    const answer = ask({ range: 'bytes=2-4', 'accept-encoding': 'br' })
    expect(answer.status).toBe(206)
    expect(answer.body.toString()).toBe('234')
    expect(answer.headers).toMatchObject({ 'content-range': 'bytes 2-4/10', 'content-length': '3', etag })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })

  test('beyond the end is refused, with the length there is', () => {
    const answer = ask({ range: 'bytes=10-' })
    expect(answer).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } })
    expect(answer.body).toHaveLength(0)
  })

  test('continues a download only of the same bytes', () => {
    expect(ask({ range: 'bytes=5-', 'if-range': etag }).status).toBe(206)
    expect(ask({ range: 'bytes=5-', 'if-range': '"older"' })).toMatchObject({ status: 200, body: bytes })
    expect(ask({ range: 'bytes=5-', 'if-range': `W/${etag}` }).status).toBe(200)
    expect(ask({ range: 'bytes=5-', 'if-range': 'Sat, 21 Nov 2026 12:00:00 GMT' }).status).toBe(200)
  })

  test('is for GET: HEAD tells of the whole', () => {
    expect(ask({ range: 'bytes=2-4' }, 'HEAD')).toMatchObject({
      status: 200,
      headers: { 'content-length': '10' },
    })
  })

  test('is not sent of a file the client has', () => {
    expect(ask({ range: 'bytes=2-4', 'if-none-match': etag }).status).toBe(304)
  })
})
