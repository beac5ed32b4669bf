import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { chooseCoding } from './accept-encoding.ts'
import { readByteRange } from './byte-range.ts'
import type { Coding } from './compress.ts'
import type { Answer } from './answer.ts'

/** A file ready to send, with the headers of each of its codings made beforehand. */
export interface StaticFile {
  readonly status: number
  readonly plain: Representation
  readonly coded: ReadonlyMap<Coding, Representation>
}

interface Representation {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string>>
  /** What a 304 repeats of them (RFC 9110 15.4.5). */
  readonly headersIfUnchanged: Readonly<Record<string, string>>
  readonly etag: string
}

export interface FileRequest {
  method?: string | undefined
  headers: IncomingHttpHeaders
}

const noBytes = Buffer.alloc(0)

/** Answers GET and HEAD for a file: coding, conditions, ranges. */
export function answerStaticFile(request: FileRequest, file: StaticFile): Answer {
  const { headers } = request
  const ofRange = headers.range === undefined ? undefined : answerRange(request, file)
  if (ofRange) return ofRange
  const coding = chooseCoding(acceptEncoding(headers), file.coded)
  const chosen = (coding && file.coded.get(coding)) ?? file.plain
  if (file.status === 200 && isKnown(headers['if-none-match'], chosen.etag))
    return { status: 304, headers: chosen.headersIfUnchanged, body: noBytes }
  return {
    status: file.status,
    headers: chosen.headers,
    body: request.method === 'HEAD' ? noBytes : chosen.bytes,
  }
}

/** A file of these bytes. Any further header, such as Cache-Control, goes out with each of its answers. */
export function makeStaticFile(
  bytes: Buffer,
  coded: ReadonlyMap<Coding, Buffer>,
  headers: Record<string, string>,
  status = 200,
): StaticFile {
  const everywhere = coded.size > 0 ? { ...headers, vary: 'accept-encoding' } : headers
  const represent = (body: Buffer, coding?: Coding): Representation => {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
    const { 'content-type': _, ...headersIfUnchanged }: Record<string, string> = { ...everywhere, etag }
    const own = {
      'content-length': String(body.length),
      ...(coding ? { 'content-encoding': coding } : rangesTaken),
    }
    return { bytes: body, etag, headersIfUnchanged, headers: { ...everywhere, etag, ...own } }
  }
  return {
    status,
    plain: represent(bytes),
    coded: new Map([...coded].map(([coding, body]) => [coding, represent(body, coding)])),
  }
}

const rangesTaken = { 'accept-ranges': 'bytes' }

/** Ranges are of the plain bytes: a download that broke off goes on, whatever coding the client would take for a whole file. */
function answerRange({ method, headers }: FileRequest, { status, plain }: StaticFile): Answer | undefined {
  if (method !== 'GET' || status !== 200) return undefined
  if (headers['if-none-match'] !== undefined) return undefined
  const condition = headers['if-range']
  if (condition !== undefined && condition !== plain.etag) return undefined
  const range = readByteRange(headers.range, plain.bytes.length)
  if (range === undefined) return undefined
  if (range === 'unsatisfiable') {
    const contentRange = `bytes */${plain.bytes.length}`
    return { status: 416, headers: { 'content-range': contentRange, 'content-length': '0' }, body: noBytes }
  }
  const body = plain.bytes.subarray(range.first, range.last + 1)
  const contentRange = `bytes ${range.first}-${range.last}/${plain.bytes.length}`
  const partHeaders = { 'content-range': contentRange, 'content-length': String(body.length) }
  return { status: 206, headers: { ...plain.headers, ...partHeaders }, body }
}

/** Whether an If-None-Match header names the file the client would get (weak comparison, RFC 9110 13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some((known) => known.trim().replace(/^W\//, '') === etag)
}

function acceptEncoding(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['accept-encoding']
  return Array.isArray(value) ? value.join(',') : value
}
