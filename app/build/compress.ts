import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The bytes in every coding that makes them smaller, by the ending of the file. */
export async function compress(bytes: Buffer, quality: number): Promise<Record<string, Buffer>> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gz] = await Promise.all([brotli(bytes, { params }), zip(bytes, { level: 9 })])
  const made = Object.entries({ '.br': br, '.gz': gz })
  return Object.fromEntries(made.filter(([, compressed]) => compressed.length < bytes.length))
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
