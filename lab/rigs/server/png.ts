import { deflateSync } from 'node:zlib'
import { pngChunk } from '#site/drawing/png.ts'

/** A black PNG. `more`: chunks between its header and its pixels, by type. */
export function pngOf(width: number, height: number, more: Record<string, Buffer> = {}): Buffer {
  const header = Buffer.from('00000000000000000100000000', 'hex') // 1 bit, shades of grey
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height))
  const chunks = { IHDR: header, ...more, IDAT: rows, IEND: Buffer.alloc(0) }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...Object.entries(chunks).map(([type, data]) => pngChunk(type, data)),
  ])
}
