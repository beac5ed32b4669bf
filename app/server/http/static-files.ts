import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from './answer.ts'
import { type Coding, codings, compressAs } from './compress.ts'

/** A file ready to send. The headers of each of its codings are made beforehand. */
export interface StaticFile {
  readonly status: number
  readonly plain: Representation
  readonly coded: ReadonlyMap<Coding, Representation>
}

interface Representation {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string>>
  /** The part of them that a 304 repeats. Browsers replace the stored ones by it (RFC 9111 3.2). */
  readonly headersIfUnchanged: Readonly<Record<string, string>>
  readonly etag: string
}

export type FileRequest = { method?: string | undefined; headers: IncomingHttpHeaders }

const noBytes = Buffer.alloc(0)

/** `headers`: further headers of every answer, such as Cache-Control. */
export function makeStaticFile(
  bytes: Buffer,
  coded: ReadonlyMap<Coding, Buffer>,
  headers: Record<string, string>,
  status = 200,
): StaticFile {
  const common = coded.size > 0 ? { ...headers, vary: 'accept-encoding' } : headers
  const represent = (body: Buffer, own: Record<string, string>): Representation => {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
    const headersIfUnchanged = { ...common, etag } // with its type, which decides about the policy
    const length = { 'content-length': String(body.length) }
    return { bytes: body, etag, headersIfUnchanged, headers: { ...common, etag, ...length, ...own } }
  }
  return {
    status,
    plain: represent(bytes, { 'accept-ranges': 'bytes' }),
    coded: new Map(
      [...coded].map(([coding, body]) => [coding, represent(body, { 'content-encoding': coding })]),
    ),
  }
}

/** Answers GET and HEAD for a file, with codings, conditions and ranges. */
export function answerStaticFile(request: FileRequest, file: StaticFile): Answer {
  const { headers } = request
  const part = headers.range === undefined ? undefined : answerRange(request, file)
  if (part) return part
  const coding = chooseCoding(headers['accept-encoding']?.toString(), file.coded)
  const chosen = (coding && file.coded.get(coding)) ?? file.plain
  if (file.status === 200 && isKnown(headers['if-none-match'], chosen.etag))
    return { status: 304, headers: chosen.headersIfUnchanged, body: noBytes }
  return {
    status: file.status,
    headers: chosen.headers,
    body: request.method === 'HEAD' ? noBytes : chosen.bytes,
  }
}

/**
 * Compresses an answer that is made for one request, off the main thread. Only for a page that repeats nothing of a request:
 * else its length would tell a stranger how well their guess at a secret compresses.
 */
export async function compressAnswer(request: FileRequest, answer: Answer): Promise<Answer> {
  const coding = chooseCoding(request.headers['accept-encoding']?.toString(), everyCoding)
  if (coding === undefined) return answer
  const body = await compressAs(coding, Buffer.from(answer.body))
  const headers = { ...answer.headers, 'content-encoding': coding, vary: 'accept-encoding' }
  return { ...answer, headers, body }
}

const everyCoding = new Map(codings.map(({ coding }) => [coding, true]))

/** A range is one of the plain bytes, so that a broken download goes on whatever coding the client accepts. */
function answerRange({ method, headers }: FileRequest, { status, plain }: StaticFile): Answer | undefined {
  if (method !== 'GET' || status !== 200 || headers['if-none-match'] !== undefined) return undefined
  const condition = headers['if-range']
  if (condition !== undefined && condition !== plain.etag) return undefined
  const size = plain.bytes.length
  const range = readByteRange(headers.range, size)
  if (range === undefined) return undefined
  if (range === 'unsatisfiable')
    return {
      status: 416,
      headers: { 'content-range': `bytes */${size}`, 'content-length': '0' },
      body: noBytes,
    }
  const body = plain.bytes.subarray(range.first, range.last + 1)
  const contentRange = `bytes ${range.first}-${range.last}/${size}`
  const own = { 'content-range': contentRange, 'content-length': String(body.length) }
  return { status: 206, headers: { ...plain.headers, ...own }, body }
}

/**
 * Reads a Range header that asks for one range of bytes (RFC 9110 14.1.2). Undefined, for the whole file: no header, another
 * unit, a malformed one, or several ranges, which a server may ignore.
 */
export function readByteRange(
  header: string | undefined,
  size: number,
): { first: number; last: number } | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined
  return first > last ? 'unsatisfiable' : { first, last }
}

/** Weak comparison (RFC 9110 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(etag)
}

/**
 * Chooses among the available codings by an Accept-Encoding header (RFC 9110 12.5.3): the highest weight wins, then the
 * smallest bytes. Undefined: the plain bytes, which are right even for a client that forbids them.
 */
export function chooseCoding(
  acceptEncoding: string | undefined,
  available: ReadonlyMap<Coding, unknown>,
): Coding | undefined {
  if (acceptEncoding === undefined || available.size === 0) return undefined
  const weights = readWeights(acceptEncoding)
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0
  let best: Coding | undefined
  for (const { coding } of codings)
    if (available.has(coding) && weightOf(coding) > (best ? weightOf(best) : 0)) best = coding
  return best && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [coding = '', ...parameters] = part.split(';')
    const weight = parameters.map((parameter) => /^\s*q=(.*)$/i.exec(parameter)?.[1]).find(Boolean)
    weights.set(coding.trim().toLowerCase(), weight === undefined ? 1 : Number(weight) || 0)
  }
  return weights
}
