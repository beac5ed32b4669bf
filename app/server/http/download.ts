import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file that visitors save, in memory: nothing on a disk can take it away. */
export interface Download {
  /** By which a browser saves it. */
  readonly name: string
  readonly mediaType: string
  /** Lower-case hexadecimal. */
  readonly sha256: string
  readonly contents: Uint8Array
}

/** Answers GET and HEAD with all of it, or with the range that is asked for (RFC 9110 14). */
export function sendDownload(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  { name, mediaType, sha256, contents }: Download,
): FastifyReply {
  const etag = `"${sha256}"`
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.length)
  const { length } = bytes
  void reply
    .type(mediaType)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
  const mayBeRange = method === 'GET' && (headers['if-range'] ?? etag) === etag
  const range = mayBeRange ? rangeOf(headers.range, length) : 'all'
  if (range === 'all') return reply.send(bytes)
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${length}`).send('')
  const { first, last } = range
  return reply
    .code(206)
    .header('content-range', `bytes ${first}-${last}/${length}`)
    .send(bytes.subarray(first, last + 1))
}

/** Weak comparison (RFC 9110 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(etag)
}

/** Both are counted from 0, and the last is part of it. */
interface Range {
  readonly first: number
  readonly last: number
}

/** `none`: the file ends before it. Several ranges at once are answered with the whole file. */
function rangeOf(asked: string | undefined, length: number): Range | 'all' | 'none' {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(asked?.trim() ?? '') ?? []
  if (from === '' && to === '') return 'all'
  if (from !== '' && to !== '' && Number(to) < Number(from)) return 'all' // not a range
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  return first <= last ? { first, last } : 'none'
}
