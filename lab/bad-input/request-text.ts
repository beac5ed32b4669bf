import { anonKey, functionPath } from '#rigs/server/test-app.ts'

/** One request as bytes on the wire (a character is a byte), and why nobody should send it. */
export interface BadRequest {
  why: string
  bytes: string
}

/**
 * A sign-up that would be taken, and as a bounce too: what is wrong with a bad one is then the reason that it is not.
 */
export const goodBody =
  '{"email":"smuggled@example.com","RecordType":"Bounce","Type":"HardBounce","Email":"smuggled@example.com"}'
const goodHeaders = {
  host: 'bot.example',
  authorization: `Bearer ${anonKey}`,
  'content-type': 'application/json',
}

export interface RequestParts {
  line?: string
  /** Undefined takes a header away. */
  headers?: Record<string, string | undefined>
  /** As they stand, each with its line end. */
  rawHeaders?: string
  body?: string
}

/** A whole request; its content-length is right unless `headers` or `rawHeaders` say something about the length. */
export function requestText({ line, headers = {}, rawHeaders = '', body = goodBody }: RequestParts): string {
  const saysLength = /content-length|transfer-encoding/i.test(rawHeaders + Object.keys(headers).join())
  const all = {
    ...goodHeaders,
    ...(saysLength ? {} : { 'content-length': String(body.length) }),
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  )
  return `${line ?? `POST ${functionPath} HTTP/1.1`}\r\n${lines.join('')}${rawHeaders}\r\n${body}`
}

/** A text as the bytes it has in UTF-8. */
export function inUtf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}
