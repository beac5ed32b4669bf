import { describe, expect, test } from 'vitest'
import type { FileKind } from '#site/source.ts'
import { pngHead } from '#rigs/server/png-head.ts'
import { fileFault, versionLine, withVersionLine } from './own-files.ts'

const source = '//@version=6\n// Version 1.0.0, 2026-11-30\nstrategy("RSI")\n'

function fault(kind: FileKind, name: string, bytes: string | Uint8Array) {
  return fileFault(kind, { name, mediaType: '', bytes: Buffer.from(bytes) })
}

describe('a script', () => {
  test('with a version line, in UTF-8, is taken', () => {
    expect(fault('script', 'rsi.pine', source)).toBeUndefined()
    expect(fault('script', 'rsi.pine', `\uFEFF${source.replaceAll('\n', '\r\n')}`)).toBeUndefined()
  })

  test.each([
    ['in UTF-16', Buffer.from(`\uFEFF${source}`, 'utf16le'), 'It is UTF-16. Save it as UTF-8.'],
    ['in Latin-1', Buffer.from('strategy("é")', 'latin1'), 'It is not UTF-8. Save it as UTF-8.'],
    ['of 10 MB', 'x'.repeat(10_000_000), 'It has 10 MB; 256 kB is the most.'],
    ['without a version', 'strategy("RSI")', 'No version line was found.'],
    ['that is no script', 'Dear reader', 'The script has no strategy() or indicator() call.'],
    ['without a byte', '', 'It is empty.'],
  ])('%s is refused', (_, bytes, words) => {
    expect(fault('script', 'rsi.pine', bytes)).toBe(words)
  })

  test('gets a version line below that of Pine', () => {
    const bytes = Buffer.from('//@version=6\nstrategy("RSI")\n')
    const release = { version: '1.2.0', date: '2026-12-01' }
    const versioned = withVersionLine(bytes, release)
    expect(versionLine(bytes)).toBeUndefined()
    expect(versionLine(versioned)).toEqual(release)
    expect(Buffer.from(versioned).toString()).toMatch(/^\/\/@version=6\n\/\/ Version 1\.2\.0/)
  })
})

test('a guide is a PDF of 10 MB at most', () => {
  expect(fault('guide', 'g.pdf', '%PDF-1.7')).toBeUndefined()
  expect(fault('guide', 'g.pdf', 'PK\u0003')).toBe('This is not a PDF.')
  expect(fault('guide', 'g.pdf', '%PDF-'.padEnd(12_400_000))).toBe(
    'It has 12.4 MB; 10 MB is the most.',
  )
})

test('a share picture is a PNG of 1200 by 630', () => {
  expect(fault('sharePicture', 'a.png', pngHead(1200, 630))).toBeUndefined()
  expect(fault('sharePicture', 'a.png', pngHead(1200, 600))).toBe(
    'It is 1200 × 600; it must be 1200 × 630.',
  )
  expect(fault('sharePicture', 'a.png', '<svg/>')).toBe('This is not a PNG.')
})

describe('an SVG', () => {
  const svg = (inner: string) =>
    fault(
      'chart',
      'c.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${inner}</svg>`,
    )

  test('of shapes, with a gradient of its own, is taken', () => {
    expect(
      svg('<defs><linearGradient id="a"/></defs><path fill="url(#a)" d="M0 0"/>'),
    ).toBeUndefined()
  })

  test.each([
    '<script>alert(1)</script>',
    '<a href="javascript:alert(1)"/>',
    '<path onload="alert(1)"/>',
    '<foreignObject/>',
    '<image href="https://x.example/a.png"/>',
    '<style>@import "x.css"</style>',
  ])('that runs or fetches something is refused: %s', (inner) => {
    expect(svg(inner)).toMatch(/^The SVG /)
  })
})
