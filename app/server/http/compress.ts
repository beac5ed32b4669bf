import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

/** The content codings we send, in the order we prefer them, and the file ending of each. */
export const codings = [
  { coding: 'br', ending: '.br' },
  { coding: 'zstd', ending: '.zst' },
  { coding: 'gzip', ending: '.gz' },
] as const
export type Coding = (typeof codings)[number]['coding']

/** Levels for brotli, zstd and gzip. A page of 35 kB takes 0.1 s to get as small as it can, or 3 ms for some 10 % more. */
const levels = { smallest: [11, 19, 9], quick: [5, 9, 9] } as const

/** The bytes in every coding that makes them smaller. */
export async function compress(
  bytes: Buffer,
  effort: keyof typeof levels = 'smallest',
): Promise<Map<Coding, Buffer>> {
  const [brotliLevel, zstdLevel, gzipLevel] = levels[effort]
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = constants
  const all = await Promise.all([
    brotli(bytes, {
      params: { [BROTLI_PARAM_QUALITY]: brotliLevel, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    // Without the size it prepares for endless input: 80 MB and ten times the work.
    zstd(bytes, { params: { [ZSTD_c_compressionLevel]: zstdLevel }, pledgedSrcSize: bytes.length }),
    zip(bytes, { level: gzipLevel }),
  ])
  const byCoding: [Coding, Buffer][] = [
    ['br', all[0]],
    ['zstd', all[1]],
    ['gzip', all[2]],
  ]
  return new Map(byCoding.filter(([, compressed]) => compressed.length < bytes.length))
}

const brotli = promisify(brotliCompress)
const zstd = promisify(zstdCompress)
const zip = promisify(gzip)
