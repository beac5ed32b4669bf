import { domainToASCII } from 'node:url'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseEmailAddress } from './email-address.ts'
import { shownAddress } from './shown-address.ts'

test.each([
  'ana@münchen.example',
  'ana@mail.bücher-läden.de',
  'x@пример.рф',
  'x@例え.テスト',
  'x@faß.de',
  'x@ελ.ελ',
  'x@😀.example',
  'Ana@example.com',
])('an address is shown as it was typed: %s', (typed) => {
  expect(shownAddress(parseEmailAddress(typed)!.address)).toBe(typed)
})

test.each([
  'x@xn--a.com', // decodes to a control character
  'x@xn--.com',
  'x@xn--99999999999.com',
  'x@xn--zzzzzzzzzzzzzzzzzzzz.com',
  'x@xn--n_chen-3ya.de',
  'xn--mnchen-3ya@example.com',
])('an address whose domain is not Punycode stays as it is: %s', (address) => {
  expect(shownAddress(address)).toBe(address)
})

test('whatever is shown parses to the address that gets the mail', () => {
  const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(label, (typed) => {
      const parsed = parseEmailAddress(`ana@${typed}.example`)
      if (!parsed) return
      const shown = shownAddress(parsed.address)
      expect(parseEmailAddress(shown)?.address).toBe(parsed.address)
      if (domainToASCII(typed).startsWith('xn--')) expect(shown).not.toContain('xn--')
    }),
    { numRuns: 3_000 },
  )
})
