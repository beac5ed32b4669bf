import { describe, expect, test } from 'vitest'
import { pngOf } from '#rigs/server/png.ts'
import { rasterType, readRaster } from './raster.ts'

/** A segment of a JPEG. `data`: in hexadecimal. */
function segment(marker: string, data: string): string {
  return `ff${marker}${(data.length / 2 + 2).toString(16).padStart(4, '0')}${data}`
}

/** 64 by 32 pixels. */
const frame = segment('c0', '080020004003012200021101031101')
const scan = `${segment('da', '0000')}12ff0034ffd356`
const end = 'ffd9'
const jfif = segment('e0', '4a46494600')
const profile = segment('e2', '4943435f50524f46494c45000101')
const adobe = segment('ee', '41646f626500')

function jpegOf(...parts: string[]): Buffer {
  return Buffer.from(`ffd8${parts.join('')}`, 'hex')
}

/** With the tag of the orientation and one of a place, in the byte order of phones or of Intel. */
function exif(orientation: string, order: '4d4d' | '4949' = '4d4d'): string {
  const tags =
    order === '4d4d'
      ? `002a000000080002011200030000000100${orientation}00008825000400000001000000260000`
      : `2a0008000000020012010300010000000${orientation.slice(1)}0000002588040001000000260000000000`
  return segment('e1', `457869660000${order}${tags}00000000`)
}

describe('a JPEG', () => {
  test('is kept as it is but for what is not the picture', () => {
    const plain = jpegOf(
      jfif,
      profile,
      adobe,
      segment('db', '00'),
      frame,
      segment('c4', '00'),
      scan,
      end,
    )
    const withMore = jpegOf(
      jfif,
      exif('01'),
      segment('e1', '687474703a2f2f6e732e61646f62652e636f6d2f7861702f312e302f00'), // XMP
      segment('e2', '4d504600'), // where a second picture stands
      profile,
      segment('ed', '50686f746f73686f7000'), // IPTC
      adobe,
      segment('fe', '6e6f7465'), // a comment
      segment('db', '00'),
      frame,
      segment('c4', '00'),
      scan,
      end,
      'ffd8ffe1', // a second picture
    )
    expect(readRaster(withMore)).toEqual({ width: 64, height: 32, bytes: plain })
    expect(readRaster(plain)).toEqual({ width: 64, height: 32, bytes: plain })
  })

  test.each(['4d4d', '4949'] as const)(
    'keeps which way is up, and nothing else of its EXIF: %s',
    (order) => {
      const read = readRaster(jpegOf(exif('06', order), frame, scan, end))
      expect(read).toMatchObject({ width: 32, height: 64 })
      const again = readRaster(read!.bytes)
      expect(again).toEqual(read)
      expect(Buffer.from(read!.bytes).toString('hex')).not.toMatch(/8825|2588/)
    },
  )

  test('with several scans is read to its end', () => {
    const picture = jpegOf(frame, scan, segment('c4', '00'), scan, end)
    expect(readRaster(picture)?.bytes).toEqual(picture)
  })

  test.each([
    ['without an end', jpegOf(frame, scan)],
    ['cut off in a segment', jpegOf(frame).subarray(0, 12)],
    ['without a frame', jpegOf(segment('db', '00'), scan, end)],
    ['with a segment of no length', jpegOf('ffdb0000', frame, scan, end)],
    ['with other bytes between its segments', jpegOf(frame, '00', scan, end)],
    ['of no height', jpegOf(segment('c0', '08000000400301220002110103'), scan, end)],
    ['of three bytes', jpegOf('ff')],
  ])('%s is no picture', (_, bytes) => {
    expect(rasterType(bytes)).toBe('image/jpeg')
    expect(readRaster(bytes)).toBeUndefined()
  })
})

describe('a PNG', () => {
  test('is kept without what is not the picture', () => {
    const colours = { gAMA: Buffer.from('0000b18f', 'hex') }
    const notes = { eXIf: Buffer.from('a place'), iTXt: Buffer.from('XMP'), tIME: Buffer.alloc(7) }
    const read = readRaster(pngOf(64, 32, { ...notes, ...colours }))
    expect(read).toEqual({ width: 64, height: 32, bytes: pngOf(64, 32, colours) })
  })

  test('is kept without what follows it', () => {
    const bytes = Buffer.concat([pngOf(64, 32), Buffer.from('more')])
    expect(readRaster(bytes)?.bytes).toEqual(pngOf(64, 32))
  })

  test('that is cut off anywhere, or has another byte, is no picture', () => {
    const whole = pngOf(64, 32)
    for (let length = 8; length < whole.length; length += 1) {
      expect(readRaster(whole.subarray(0, length)), String(length)).toBeUndefined()
    }
    for (let at = 8; at < whole.length; at += 1) {
      const changed = Buffer.from(whole)
      changed[at]! ^= 1
      expect(readRaster(changed), String(at)).toBeUndefined()
    }
  })

  test.each([
    [0, 32],
    [64, 0],
  ])('of %d by %d is no picture', (width, height) => {
    expect(readRaster(pngOf(width, height))).toBeUndefined()
  })
})

test('other bytes are no picture', () => {
  expect(readRaster(Buffer.from('GIF89a'))).toBeUndefined()
  expect(readRaster(Buffer.alloc(0))).toBeUndefined()
})
