import { expect, test } from 'vitest'
import { cutAtGaps, fillGaps, quotedPrintable } from './quoted-printable.ts'

test('bytes outside printable ASCII and blanks at line ends are escaped', () => {
  expect(quotedPrintable('a=b © \t\nc \n')).toBe('a=3Db =C2=A9 =09\r\nc=20\r\n')
})

test('no line is longer than 76 characters, and no escape is broken', () => {
  for (let length = 60; length < 240; length += 1) {
    const text = `${'a'.repeat(length)}${'é'.repeat(length)}`
    const encoded = quotedPrintable(text)
    expect(Math.max(...encoded.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(76)
    expect(decode(encoded)).toBe(text)
  }
})

test('a filled gap is on a separate line, in one piece', () => {
  const link = `https://bot.example/${'x'.repeat(50)}`
  const text = `${'before '.repeat(12)}{{link}} after {{link}}\n{{link}}{{link}}\n`
  const filled = fillGaps(cutAtGaps(text), { link })
  expect(filled.split('\r\n').filter((line) => line.replace(/=$/, '') === link)).toHaveLength(4)
  expect(filled.split('\r\n').filter((line) => line.length > 76)).toEqual([])
  expect(decode(filled)).toBe(text.replaceAll('{{link}}', link).replaceAll('\n', '\r\n'))
})

test('a gap without a value stays empty, whatever its name', () => {
  expect(fillGaps(cutAtGaps('a{{nothing}}b{{constructor}}c'), {}).replaceAll('=\r\n', '')).toBe('abc')
})

test('a text keeps its lines wherever its gaps are', () => {
  for (const text of ['{{a}}', '{{a}}\n', '\n{{a}}', 'x{{a}}', '{{a}}x', '{{a}}{{a}}', '', 'none'])
    expect(decode(fillGaps(cutAtGaps(text), { a: 'value' }))).toBe(
      text.replaceAll('{{a}}', 'value').replaceAll('\n', '\r\n'),
    )
})

function decode(encoded: string): string {
  const bytes = encoded
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
