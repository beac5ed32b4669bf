import { expect, test } from 'vitest'
import { cutAtGaps, fillGaps, quotedPrintable } from './quoted-printable.ts'

test('what is not plain ASCII is escaped, and a blank where a line ends', () => {
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

test('what fills a gap stands on a line of its own, in one piece', () => {
  const link = `https://bot.example/${'x'.repeat(50)}`
  const text = `${'before '.repeat(12)}{{link}} after {{link}}\n{{link}}{{link}}\n`
  const filled = fillGaps(cutAtGaps(text), { link })
  expect(filled.split('\r\n').filter((line) => line.replace(/=$/, '') === link)).toHaveLength(4)
  expect(filled.split('\r\n').filter((line) => line.length > 76)).toEqual([])
  expect(decode(filled)).toBe(text.replaceAll('{{link}}', link).replaceAll('\n', '\r\n'))
})

test('a gap that nothing fills stays empty, whatever it is called', () => {
  expect(fillGaps(cutAtGaps('a{{nothing}}b{{constructor}}c'), {}).replaceAll('=\r\n', '')).toBe('abc')
})

test('a text that begins or ends with a gap, is one, or has none, keeps its lines', () => {
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
