import { inflateSync } from 'node:zlib'

const woffHeader = 44
const woffEntry = 20
const sfntHeader = 12
const sfntEntry = 16

/**
 * A WOFF 1.0 file as the plain font it holds (W3C WOFF 1.0, sections 3 to 5). pdfkit's font library could read it as
 * it is, but inflates in JavaScript, which took three quarters of the time the guide takes.
 */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const directory = Buffer.alloc(sfntHeader + count * sfntEntry)
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  const tables: Buffer[] = []
  let offset = directory.length
  for (let index = 0; index < count; index++) {
    const { tag, checksum, bytes } = readTable(woff, woffHeader + index * woffEntry)
    const entry = sfntHeader + index * sfntEntry
    directory.write(tag, entry, 'latin1')
    directory.writeUInt32BE(checksum, entry + 4)
    directory.writeUInt32BE(offset, entry + 8)
    directory.writeUInt32BE(bytes.length, entry + 12)
    const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4)
    bytes.copy(padded)
    tables.push(padded)
    offset += padded.length
  }
  return Buffer.concat([directory, ...tables])
}

function readTable(woff: Buffer, entry: number): { tag: string; checksum: number; bytes: Buffer } {
  const offset = woff.readUInt32BE(entry + 4)
  const packedLength = woff.readUInt32BE(entry + 8)
  const length = woff.readUInt32BE(entry + 12)
  const packed = woff.subarray(offset, offset + packedLength)
  return {
    tag: woff.toString('latin1', entry, entry + 4),
    checksum: woff.readUInt32BE(entry + 16),
    // A table that does not get smaller is stored as it is.
    bytes: packedLength < length ? inflateSync(packed) : packed,
  }
}
