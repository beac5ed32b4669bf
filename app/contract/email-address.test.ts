import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findEmailAddress, parseEmailAddress } from './email-address.ts'

describe('parsing an email address', () => {
  test.each([
    {
      what: 'with white space around',
      typed: '  ada@example.com\n',
      address: 'ada@example.com',
      identity: 'ada@example.com',
    },
    {
      what: 'with white space beyond ASCII around',
      typed: '\u00a0\ufeffada@example.com\u3000',
      address: 'ada@example.com',
      identity: 'ada@example.com',
    },
    {
      what: 'between marks for the direction of text',
      typed: '\u202a\u200eada@example.com\u202c\u2069',
      address: 'ada@example.com',
      identity: 'ada@example.com',
    },
    {
      what: 'between other invisible characters',
      typed: '\u200b\ufeff ada@example.com\u00ad\ufe0f\u2060',
      address: 'ada@example.com',
      identity: 'ada@example.com',
    },
    {
      what: 'between an empty Braille cell and the place of a picture',
      typed: '\u2800ada@example.com\ufffc\u2800',
      address: 'ada@example.com',
      identity: 'ada@example.com',
    },
    {
      what: 'with the at sign of an East Asian keyboard',
      typed: 'ada＠example.com',
      address: 'ada@example.com',
      identity: 'ada@example.com',
    },
    {
      what: 'with capitals',
      typed: 'Ada.Love@Example.COM',
      address: 'Ada.Love@Example.COM',
      identity: 'ada.love@example.com',
    },
    {
      what: 'with a Cyrillic domain',
      typed: 'x@пример.рф',
      address: 'x@xn--e1afmkfd.xn--p1ai',
      identity: 'x@xn--e1afmkfd.xn--p1ai',
    },
    {
      what: 'with a German domain in capitals',
      typed: 'x@MÜNCHEN.de',
      address: 'x@xn--mnchen-3ya.de',
      identity: 'x@xn--mnchen-3ya.de',
    },
    {
      what: 'with a Japanese domain and its own full stop',
      typed: 'x@例え。テスト',
      address: 'x@xn--r8jz45g.xn--zckzah',
      identity: 'x@xn--r8jz45g.xn--zckzah',
    },
  ])('an address $what gives the address to mail and the identity', (example) => {
    const { typed, address, identity } = example
    expect(parseEmailAddress(typed)).toEqual({ address, identity })
  })

  test.each([
    'ada+tag@example.com',
    "!#$%&'*+/=?^_`{|}~-@example.com",
    'x@xn--e1afmkfd.xn--p1ai',
    'x@no-such-domain-anywhere.example',
    '1@2.co',
    `${'a'.repeat(64)}@example.com`,
  ])('%s is its own identity', (typed) => {
    expect(parseEmailAddress(typed)).toEqual({ address: typed, identity: typed })
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
  { what: 'a domain without a dot', texts: ['a@рф'] },
  { what: 'a last label of digits', texts: ['a@１２７.０.０.１'] },
  { what: 'a control character', texts: ['a@b\x85.co', 'a@пример\r\n.рф', 'a@\tпример.рф'] },
  {
    what: 'a local part beyond ASCII',
    texts: ['ädä@example.com', 'ＡＤＡ@example.com', 'a\u200bb@example.com'],
  },
  {
    what: 'a text that would turn into another address',
    texts: ['a@b＠c.рф', 'a@пример.рф／x', 'a@b％2Ec.рф', 'a@пример.рф:80', 'a@x:y@пример.рф'],
  },
])('parsing refuses $what', ({ texts }) => {
  for (const typed of texts) expect(parseEmailAddress(typed), typed).toBeUndefined()
})

// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const htmlRule =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

const oneOf = (characters: string) => fc.constantFrom(...characters.split(''))
const anyCharacter = oneOf('abz019.!#$%&\'*+/=?^_`{|}~-@@.. "(),:;<>[]\\\t\n\r\0\x7f\u00e4\u200b')
const noise = fc.string({ unit: anyCharacter, maxLength: 12 })
const localParts = fc.string({ unit: oneOf("ab01.+-_=?'"), minLength: 1, maxLength: 70 })
const labelTexts = fc.string({ unit: oneOf('abZ019-'), minLength: 1, maxLength: 66 })
const domains = fc
  .array(labelTexts, { minLength: 1, maxLength: 6 })
  .map((labels) => labels.join('.'))
const nearly = fc.tuple(localParts, domains).map(([before, after]) => `${before}@${after}`)
const texts = fc.oneof(
  nearly,
  nearly,
  noise,
  fc.tuple(nearly, noise).map((parts) => parts.join('')),
  fc.string(),
)

describe('compared with input type=email, parsing', () => {
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

describe('finding an address in what a person typed', () => {
  test.each([
    'Jane <jane@example.com>',
    'Jane Doe, "the trader" <jane@example.com>,',
    '<jane@example.com>',
    'jane@example.com,',
    'jane@example.com.',
    ' jane@example.com ; ',
  ])('understands %j', (typed) => {
    expect(findEmailAddress(typed)?.address).toBe('jane@example.com')
    expect(parseEmailAddress(typed)).toBeUndefined()
  })

  test.each([
    '',
    'Jane',
    'jane@example',
    'jane@example.com, bob@example.com',
    'Jane <jane@example.com> or not',
    'Jane <jane at example.com>',
    'Jane <<jane@example.com>>',
    `jane@example.com${','.repeat(6)}`,
  ])('finds none in %j', (typed) => {
    expect(findEmailAddress(typed)).toBeUndefined()
  })

  test('finds in an address nothing but itself', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        const parsed = parseEmailAddress(text)
        if (parsed) expect(findEmailAddress(text)).toEqual(parsed)
      }),
      { numRuns: 2_000 },
    )
  })
})

function isException(address: string): boolean {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const labels = address.slice(at + 1).split('.')
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

test('an international domain is understood by a browser without URL.parse()', () => {
  const { parse } = URL
  onTestFinished(() => void Object.assign(URL, { parse }))
  Object.assign(URL, { parse: undefined })
  expect(parseEmailAddress('ana@münchen.de')?.address).toBe('ana@xn--mnchen-3ya.de')
  expect(parseEmailAddress('ana@xn--ü.de')).toBeUndefined()
})
