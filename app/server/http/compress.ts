import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The content codings we send, the smallest first, and the file ending of each. */
export const codings = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
] as const
export type Coding = (typeof codings)[number]['coding']

/** A page of 35 kB takes 0.1 s to get as small as it can, or 3 ms for some 10 % more. */
const brotliLevels = { smallest: 11, quick: 5 }
export type Effort = keyof typeof brotliLevels
const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: sizeHint } = constants

/** The bytes in every coding that makes them smaller. */
export async function compress(bytes: Buffer, effort: Effort = 'smallest'): Promise<Map<Coding, Buffer>> {
  const params = { [quality]: brotliLevels[effort], [sizeHint]: bytes.length }
  const [br, gz] = await Promise.all([brotli(bytes, { params }), zip(bytes, { level: 9 })])
  const byCoding: [Coding, Buffer][] = [
    ['br', br],
    ['gzip', gz],
  ]
  return new Map(byCoding.filter(([, compressed]) => compressed.length < bytes.length))
}

/** Compresses an answer to one request, in its own coding only. */
export function compressAs(coding: Coding, bytes: Buffer): Promise<Buffer> {
  if (coding === 'gzip') return zip(bytes)
  return brotli(bytes, { params: { [quality]: brotliLevels.quick, [sizeHint]: bytes.length } })
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
