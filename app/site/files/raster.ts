import { crc32 } from 'node:zlib'

/** A picture of pixels as it is shown to others. */
export interface Raster {
  readonly width: number
  readonly height: number
  /** Without EXIF, places and comments, and without anything after its end. */
  readonly bytes: Uint8Array
}

export type RasterType = 'image/png' | 'image/jpeg'

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

/** By its first bytes. Undefined: it is neither. */
export function rasterType(bytes: Uint8Array): RasterType | undefined {
  if (pngSignature.equals(bytes.subarray(0, 8))) return 'image/png'
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff ? 'image/jpeg' : undefined
}

/** Returns undefined if it is neither PNG nor JPEG, is damaged, or is cut off. */
export function readRaster(bytes: Uint8Array): Raster | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (rasterType(bytes)) {
    case 'image/png':
      return readPng(file)
    case 'image/jpeg':
      return readJpeg(file)
    case undefined:
      return undefined
  }
}

/** Width and height in pixels, as the header of a whole PNG has them. */
export function pngSize(png: Uint8Array): { width: number; height: number } {
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength)
  return { width: header.getUint32(16), height: header.getUint32(20) }
}

/** The chunks that make the picture, its movement included. Others may tell where it was taken. */
const pictureChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB bKGD pHYs acTL fcTL fdAT'.split(' '),
)

/** Walks the chunks to the last one: PNG, 5.3. */
function readPng(file: Buffer): Raster | undefined {
  const kept: Buffer[] = [pngSignature]
  const found = new Set<string>()
  let start = 8
  while (start + 12 <= file.length) {
    const end = start + 12 + file.readUInt32BE(start)
    if (end > file.length) return undefined
    const isWhole = crc32(file.subarray(start + 4, end - 4)) === file.readUInt32BE(end - 4)
    const type = file.toString('latin1', start + 4, start + 8)
    if (!isWhole || (start === 8 && (type !== 'IHDR' || end !== 33))) return undefined
    found.add(type)
    if (pictureChunks.has(type)) kept.push(file.subarray(start, end))
    if (type === 'IEND') {
      return found.has('IDAT') ? withSize(pngSize(file), Buffer.concat(kept)) : undefined
    }
    start = end
  }
  return undefined
}

const frames = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
])

/** Walks the segments to the end of the picture: ITU T.81, B.1 and B.2. */
function readJpeg(file: Buffer): Raster | undefined {
  const kept: Buffer[] = []
  let size: Pick<Raster, 'width' | 'height'> | undefined
  let orientation = upright
  let start = 2
  while (start + 2 <= file.length && file[start] === 0xff) {
    const marker = file[start + 1]!
    if (marker === 0xff) {
      start += 1 // it fills
      continue
    }
    if (marker === 0xd9) {
      const picture = [
        file.subarray(0, 2),
        exifOf(orientation),
        ...kept,
        file.subarray(start, start + 2),
      ]
      return size && withSize(turned(size, orientation), Buffer.concat(picture))
    }
    if (start + 4 > file.length) return undefined
    const end = start + 2 + file.readUInt16BE(start + 2)
    if (end < start + 4 || end > file.length) return undefined
    const segment = file.subarray(start, end)
    if (frames.has(marker) && segment.length >= 9) {
      size = { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) }
    }
    if (marker === 0xe1) orientation = orientationIn(segment.subarray(4)) ?? orientation
    if (isOfPicture(marker, segment)) kept.push(segment)
    start = marker === 0xda ? endOfScan(file, end) : end
    kept.push(file.subarray(end, start))
  }
  return undefined
}

/** Of the segments for applications only JFIF, colour profile and Adobe's colour transform. */
function isOfPicture(marker: number, segment: Buffer): boolean {
  if (marker === 0xfe) return false // a comment
  if (marker < 0xe0 || marker > 0xef) return true
  if (marker === 0xe2) return segment.toString('latin1', 4, 15) === 'ICC_PROFILE'
  return marker === 0xe0 || marker === 0xee
}

/** In coded data, a marker for a restart or a zero stands behind each FF. */
function endOfScan(file: Buffer, start: number): number {
  let marker = file.indexOf(0xff, start)
  while (marker !== -1) {
    const next = file[marker + 1] ?? 0xff
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return marker
    marker = file.indexOf(0xff, marker + 2)
  }
  return file.length
}

/** The first of the eight orientations of EXIF. The last four lie on their side. */
const upright = 1

function turned({ width, height }: Pick<Raster, 'width' | 'height'>, orientation: number) {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

const exifHead = Buffer.from('Exif\0\0', 'latin1')

/** How the camera was held: EXIF 2.3, 4.6.4. Undefined: it is not said. */
function orientationIn(segment: Buffer): number | undefined {
  if (!exifHead.equals(segment.subarray(0, 6))) return undefined
  const tiff = segment.subarray(6)
  const isLittle = tiff[0] === 0x49
  const number = (at: number, length: number) => {
    if (at + length > tiff.length) return 0
    return isLittle ? tiff.readUIntLE(at, length) : tiff.readUIntBE(at, length)
  }
  const directory = number(4, 4)
  for (let entry = 0; entry < number(directory, 2); entry += 1) {
    const at = directory + 2 + 12 * entry
    const value = number(at + 8, 2)
    if (number(at, 2) === 0x0112) return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

/** A segment that says nothing else. Without it, a picture from a phone would lie on its side. */
function exifOf(orientation: number): Buffer {
  if (orientation === upright) return Buffer.alloc(0)
  const tiff = `4d4d002a00000008000101120003000000010000000000000000`
  const segment = Buffer.concat([
    Buffer.from('ffe10022', 'hex'),
    exifHead,
    Buffer.from(tiff, 'hex'),
  ])
  segment.writeUInt16BE(orientation, 28)
  return segment
}

function withSize(
  { width, height }: Pick<Raster, 'width' | 'height'>,
  bytes: Uint8Array,
): Raster | undefined {
  return width > 0 && height > 0 ? { width, height, bytes } : undefined
}
