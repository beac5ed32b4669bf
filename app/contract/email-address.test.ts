import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseEmailAddress } from './email-address.ts'

describe('parsing an email address', () => {
  test.each([
    ['  ada@example.com\n', 'ada@example.com', 'ada@example.com'],
    ['\u00a0\ufeffada@example.com\u3000', 'ada@example.com', 'ada@example.com'],
    ['Ada.Love@Example.COM', 'Ada.Love@Example.COM', 'ada.love@example.com'],
    ['ada+tag@example.com', 'ada+tag@example.com', 'ada+tag@example.com'],
    [
      "!#$%&'*+/=?^_`{|}~-@example.com",
      "!#$%&'*+/=?^_`{|}~-@example.com",
      "!#$%&'*+/=?^_`{|}~-@example.com",
    ],
    ['x@xn--e1afmkfd.xn--p1ai', 'x@xn--e1afmkfd.xn--p1ai', 'x@xn--e1afmkfd.xn--p1ai'],
    ['x@пример.рф', 'x@xn--e1afmkfd.xn--p1ai', 'x@xn--e1afmkfd.xn--p1ai'],
    ['x@MÜNCHEN.de', 'x@xn--mnchen-3ya.de', 'x@xn--mnchen-3ya.de'],
    ['x@例え。テスト', 'x@xn--r8jz45g.xn--zckzah', 'x@xn--r8jz45g.xn--zckzah'],
    [
      'x@no-such-domain-anywhere.example',
      'x@no-such-domain-anywhere.example',
      'x@no-such-domain-anywhere.example',
    ],
    ['1@2.co', '1@2.co', '1@2.co'],
    [
      `${'a'.repeat(64)}@example.com`,
      `${'a'.repeat(64)}@example.com`,
      `${'a'.repeat(64)}@example.com`,
    ],
  ])('%j gives the address to mail and the identity', (typed, address, identity) => {
    expect(parseEmailAddress(typed)).toEqual({ address, identity })
  })

  test('accepts 254 octets and refuses 255', () => {
    const ofLength = (length: number) =>
      `a@${'b'.repeat(62)}.${'c'.repeat(62)}.${'d'.repeat(62)}.${'e'.repeat(length - 191 - 4)}.com`
    expect(ofLength(254)).toHaveLength(254)
    expect(parseEmailAddress(ofLength(254))).toBeDefined()
    expect(parseEmailAddress(ofLength(255))).toBeUndefined()
  })
})

// Texts of ASCII are compared with the rule of HTML below.
test.each([
  ['a domain without a dot, or a last label of digits', ['a@рф', 'a@１２７.０.０.１']],
  ['a control character', ['a@b\x85.co', 'a@пример\r\n.рф', 'a@\tпример.рф']],
  ['a local part beyond ASCII', ['ädä@example.com', 'ＡＤＡ@example.com', 'a\u200bb@example.com']],
  [
    'a text that would turn into another address',
    ['a@b＠c.рф', 'a@пример.рф／x', 'a@b％2Ec.рф', 'a@пример.рф:80', 'a@x:y@пример.рф'],
  ],
])('parsing refuses %s', (_why, all) => {
  for (const typed of all) expect(parseEmailAddress(typed), typed).toBeUndefined()
})

// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const htmlRule =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

describe('compared with input type=email, parsing', () => {
  const oneOf = (characters: string) => fc.constantFrom(...characters.split(''))
  const anyCharacter = oneOf('abz019.!#$%&\'*+/=?^_`{|}~-@@.. "(),:;<>[]\\\t\n\r\0\x7f\u00e4\u200b')
  const noise = fc.string({ unit: anyCharacter, maxLength: 12 })
  const local = fc.string({ unit: oneOf("ab01.+-_=?'"), minLength: 1, maxLength: 70 })
  const label = fc.string({ unit: oneOf('abZ019-'), minLength: 1, maxLength: 66 })
  const domain = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'))
  const nearly = fc.tuple(local, domain).map(([before, after]) => `${before}@${after}`)
  const texts = fc.oneof(
    nearly,
    nearly,
    noise,
    fc.tuple(nearly, noise).map((parts) => parts.join('')),
    fc.string(),
  )

  test('accepts the same, less the promised exceptions', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const typed = text.trim()
        // A browser converts a domain beyond ASCII to A-labels before it applies its rule.
        fc.pre(/^[\0-\x7f]*$/.test(typed))
        expect(parseEmailAddress(text) !== undefined).toBe(
          htmlRule.test(typed) && !isException(typed),
        )
      }),
      { numRuns: 3_000 },
    )
  })

  test('gives an address that parses again to itself and to the same identity', () => {
    fc.assert(
      fc.property(
        fc.oneof(texts, nearly),
        fc.string({ unit: 'grapheme', maxLength: 8 }),
        (text, more) => {
          for (const typed of [text, `${text}${more}.рф`, `a@${more}.com`]) {
            const parsed = parseEmailAddress(typed)
            if (!parsed) continue
            expect(parsed.address).toMatch(htmlRule)
            expect(parseEmailAddress(parsed.address)).toEqual(parsed)
            expect(parseEmailAddress(parsed.identity)?.identity).toBe(parsed.identity)
            if (/^[\0-\x7f]*$/.test(typed)) {
              expect(parseEmailAddress(typed.toUpperCase())?.identity).toBe(parsed.identity)
            }
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

function isException(address: string): boolean {
  const at = address.lastIndexOf('@')
  const [local, labels] = [address.slice(0, at), address.slice(at + 1).split('.')]
  const last = labels.at(-1) ?? ''
  return (
    local.length > 64 ||
    address.length > 254 ||
    local.startsWith('.') ||
    local.endsWith('.') ||
    local.includes('..') ||
    labels.length === 1 ||
    last.length === 1 ||
    /^[0-9]+$/.test(last) ||
    /=\?.*\?=/.test(local)
  )
}
