import { crc32, deflateSync } from 'node:zlib'
import { PDFiumLibrary } from '@hyzyla/pdfium'

/** A page of a PDF as PNG. `number`: from 0. */
export async function pictureOfPage(
  pdf: Uint8Array,
  { number, width }: { number: number; width: number },
): Promise<Buffer> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(pdf)
    const page = document.getPage(number)
    const scale = width / page.getOriginalSize().originalWidth
    const { data, ...size } = await page.render({ scale, render: 'bitmap' })
    return png(data, size)
  } finally {
    library.destroy()
  }
}

/** Of 256 colours at most, which a page of text and lines does not need. `pixels`: RGBA. */
function png(pixels: Uint8Array, { width, height }: { width: number; height: number }): Buffer {
  const palette: number[] = []
  const indexes = new Map<number, number>()
  const rows = Buffer.alloc((width + 1) * height)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * pixel, 4 * pixel + 3).map(inSteps)
    const colour = (red << 16) | (green << 8) | blue
    const index = indexes.getOrInsertComputed(colour, () => palette.push(red, green, blue) / 3 - 1)
    if (index > 255) throw new Error('The page has too many colours for a palette')
    const row = Math.floor(pixel / width)
    rows[row * (width + 1) + 1 + (pixel % width)] = index
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The steps of a smoothed edge need not be finer. */
function inSteps(value: number): number {
  return Math.round(value / 17) * 17
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
