import { describe, expect, test } from 'vitest'
import { pngOf } from '#rigs/server/png.ts'
import type { FileKind } from '../source.ts'
import { readOwnFiles } from './own-file.ts'

const source = '//@version=6\n// Version 1.0.0, 2026-11-30\nstrategy("RSI")\n'

/** What is wrong with a file. Undefined: it is taken. */
function fault(kind: FileKind, name: string, bytes: string | Uint8Array): string | undefined {
  const given = { name, mediaType: '', bytes: Buffer.from(bytes) }
  return readOwnFiles({ [kind]: given }).faults[0]?.message
}

describe('a script', () => {
  test.each(['rsi.pine', 'RSI.PINE', 'rsi.pinescript', 'rsi.txt'])('is taken as %s', (name) => {
    expect(fault('script', name, source)).toBeUndefined()
  })

  test.each([
    [
      'with a byte-order mark and the line ends of Windows',
      `\uFEFF${source.replaceAll('\n', '\r\n')}`,
    ],
    ['without a version line, which the desk asks for', 'indicator("RSI")'],
    ['with Cyrillic letters and signs', `${source}// Скользящая средняя, 移動平均, 📈`],
  ])('%s is taken', (_, text) => {
    expect(fault('script', 'rsi.pine', text)).toBeUndefined()
  })

  test.each([
    ['in UTF-16', Buffer.from(`\uFEFF${source}`, 'utf16le'), 'It is UTF-16. Save it as UTF-8.'],
    ['in Latin-1', Buffer.from('strategy("é")', 'latin1'), 'It is not UTF-8. Save it as UTF-8.'],
    ['of 10 MB', 'x'.repeat(10_000_000), 'It has 10 MB; 256 kB is the most.'],
    ['that is no script', 'Dear reader', 'The script has no strategy() or indicator() call.'],
    [
      'in another language',
      'input int period = 14;\nint OnInit() { return INIT_SUCCEEDED; }\n',
      'The script has no strategy() or indicator() call.',
    ],
    [
      'that is a library',
      '//@version=6\nlibrary("Turns")\nexport rising(float x) => x > x[1]\n',
      'It is a library, which other scripts use. Give away a strategy or an indicator.',
    ],
    [
      'in an old version of Pine',
      'study("RSI")',
      'It is in an old version of Pine: study() is called indicator() now. Convert it at TradingView.',
    ],
    [
      'with a day that no month has',
      `// Version 1.0.0, 2026-02-30\n${source}`,
      'Its version line names 2026-02-30: there is no such day.',
    ],
    ['without a byte', '', 'It is empty.'],
  ])('%s is refused', (_, bytes, words) => {
    expect(fault('script', 'rsi.pine', bytes)).toBe(words)
  })

  test.each(['\u{E000}token\u{E001}', '\u{F8FF}', '\u{F0000}', '\u{10FFFD}'])(
    'with a character for private use is refused: %j',
    (marked) => {
      expect(fault('script', 'rsi.pine', `${source}// ${marked}`)).toMatch(
        /^It has a character for private use \(U\+(?:E000|F8FF|F0000|10FFFD)\)/,
      )
    },
  )
})

test('a guide is a PDF of 10 MB at most', () => {
  expect(fault('guide', 'g.pdf', '%PDF-1.7')).toBeUndefined()
  expect(fault('guide', 'g.pdf', 'PK\u0003')).toBe('This is not a PDF.')
  expect(fault('guide', 'g.pdf', '%PDF-'.padEnd(12_400_000))).toBe(
    'It has 12.4 MB; 10 MB is the most.',
  )
})

test.each(['utf16le', 'latin1'] as const)('an SVG in %s is told to be no UTF-8', (encoding) => {
  const text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>ö</title></svg>'
  const bytes = Buffer.from(encoding === 'latin1' ? text : `\ufeff${text}`, encoding)
  const chart = { name: 'chart.svg', mediaType: '', bytes }
  expect(readOwnFiles({ chart }).faults[0]?.message).toBe('It is not UTF-8. Save it as UTF-8.')
})

test('a share picture is a PNG of 1200 by 630', () => {
  expect(fault('sharePicture', 'a.png', pngOf(1200, 630))).toBeUndefined()
  expect(fault('sharePicture', 'a.png', pngOf(1200, 600))).toBe(
    'It is 1200 × 600; it must be 1200 × 630.',
  )
  expect(fault('sharePicture', 'a.png', '<svg/>')).toBe('This is not a PNG.')
})

const svgOf = (attributes: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`

test.each([
  ['a PNG of 192', pngOf(192, 192)],
  ['a PNG of 2048', pngOf(2048, 2048)],
  ['a square SVG', svgOf('viewBox="0 0 32 32"')],
  ['an SVG that is square but for a rounded edge', svgOf('viewBox="0 0 512 511.4"')],
  ['an SVG without a box', svgOf('')],
])('an icon is %s', (_, bytes) => {
  expect(fault('icon', 'i', bytes)).toBeUndefined()
})

test.each([
  ['that is small', pngOf(191, 191), /^It is 191 × 191/],
  ['that is no square', pngOf(300, 200), /^It is 300 × 200/],
  ['that is huge', pngOf(2049, 2049), /^It is 2049 × 2049/],
  [
    'of a drawing whose lengths are no square',
    svgOf('viewBox="0 0 9 9" width="9" height="9e6"'),
    /^It is 9 × 9000000/,
  ],
  ['of a drawing that is no square', svgOf('viewBox="0 0 300 200"'), /^It is 300 × 200/],
  ['in another format', 'GIF89a', /^This is neither a PNG nor an SVG/],
])('an icon %s is refused', (_, bytes, words) => {
  expect(fault('icon', 'i', bytes)).toMatch(words)
})

test.each([
  ['of too many pixels', pngOf(5000, 5000), 'It is 5000 × 5000; that is too large to be shown.'],
  ['that is a thread', pngOf(10, 5000), 'It is 10 × 5000; that is too long to be shown.'],
  [
    'that is drawn as one',
    svgOf('viewBox="0 0 1 1e9"'),
    'It is 1 × 1000000000; that is too long to be shown.',
  ],
  [
    'with a script',
    svgOf('onload="alert(1)"'),
    'The SVG contains a script. Save it as a plain SVG.',
  ],
])('a chart %s is refused', (_, bytes, words) => {
  expect(fault('chart', 'c', bytes)).toBe(words)
})

test.each([1, 20, 40, 60])('a PNG that is cut off after %d bytes gets a sentence', (length) => {
  const message = fault('icon', 'i.png', pngOf(192, 192).subarray(0, length))
  expect(message).toMatch(length < 8 ? /^This is neither/ : /^The PNG is damaged or cut off/)
})

test('a file is kept with the media type of its bytes, whatever was given', () => {
  const given = { name: 'c.png', mediaType: 'text/html', bytes: Buffer.from(svgOf('')) }
  const { files } = readOwnFiles({ chart: given, icon: { ...given, bytes: pngOf(192, 192) } })
  expect(files.chart?.mediaType).toBe('image/svg+xml')
  expect(files.icon?.mediaType).toBe('image/png')
})

test('a picture is kept without what its camera wrote beside it', () => {
  const bytes = pngOf(192, 192, { eXIf: Buffer.from('a place'), tEXt: Buffer.from('a name') })
  const { files } = readOwnFiles({ icon: { name: 'i.png', mediaType: '', bytes } })
  expect(Buffer.from(files.icon!.bytes)).toEqual(pngOf(192, 192))
})

test('a picture of who signs the note is a PNG', () => {
  expect(fault('portrait', 'me.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')).toBe(
    'This is not a PNG.',
  )
})
