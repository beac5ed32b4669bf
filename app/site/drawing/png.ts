import { crc32, deflateSync } from 'node:zlib'

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * `pixels`: RGBA, of which the opacity is left out. A page of text and lines has 256 colours at
 * most, and is then a third as large.
 */
export function encodePng(pixels: Uint8Array, size: Size): Uint8Array {
  const indexed = withPalette(pixels, size)
  const picture = indexed ?? { rows: colourRows(pixels, size), palette: undefined }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, picture.palette ? 3 : 2, 0, 0, 0])
  header.writeUInt32BE(size.width, 0)
  header.writeUInt32BE(size.height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...(picture.palette ? [pngChunk('PLTE', picture.palette)] : []),
    pngChunk('IDAT', deflateSync(picture.rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** An index into the palette is one byte. */
const maxColours = 256

/** Returns undefined if the picture has too many colours. */
function withPalette(pixels: Uint8Array, { width, height }: Size) {
  const palette: number[] = []
  const indexes = new Map<number, number>()
  const rows = Buffer.alloc((width + 1) * height)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const red = inSteps(pixels[4 * pixel])
    const green = inSteps(pixels[4 * pixel + 1])
    const blue = inSteps(pixels[4 * pixel + 2])
    const colour = (red << 16) | (green << 8) | blue
    let index = indexes.get(colour)
    if (index === undefined) {
      index = indexes.size
      if (index === maxColours) return undefined
      indexes.set(colour, index)
      palette.push(red, green, blue)
    }
    const row = Math.floor(pixel / width)
    rows[row * (width + 1) + 1 + (pixel % width)] = index
  }
  return { rows, palette: Buffer.from(palette) }
}

function colourRows(pixels: Uint8Array, { width, height }: Size): Buffer {
  const row = 1 + 3 * width
  const rows = Buffer.alloc(row * height)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = Math.floor(pixel / width) * row + 1 + 3 * (pixel % width)
    rows[at] = inSteps(pixels[4 * pixel])
    rows[at + 1] = inSteps(pixels[4 * pixel + 1])
    rows[at + 2] = inSteps(pixels[4 * pixel + 2])
  }
  return rows
}

/** The steps of a smoothed edge need not be finer, and a page of text becomes half as large. */
function inSteps(value = 0): number {
  return Math.round(value / 17) * 17
}

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
