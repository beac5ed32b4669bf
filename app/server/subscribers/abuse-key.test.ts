import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseEmailAddress } from '#contract/email-address.ts'
import { abuseKey } from './abuse-key.ts'

describe('the abuse key', () => {
  test.each([
    {
      what: 'tags at any provider',
      key: 'ada@uni.edu',
      same: ['ada@uni.edu', 'ada+1@uni.edu', 'ada+1+2@uni.edu'],
    },
    {
      what: 'dots at Gmail, and its two names',
      key: 'ada@gmail.com',
      same: ['ada@gmail.com', 'a.d.a@gmail.com', 'a.da+x@googlemail.com'],
    },
    {
      what: 'dots, hyphens and underscores at Proton, and its four domains',
      key: 'ada@proton.me',
      same: ['a.d-a@proton.me', 'a_da+x@protonmail.com', 'ada@pm.me', 'ada@protonmail.ch'],
    },
    {
      what: 'a dot and a hyphen at Yandex, and its domains',
      key: 'ada-b@yandex.ru',
      same: ['ada.b@yandex.ru', 'ada-b+x@ya.ru', 'ada.b@yandex.com', 'ada-b@yandex.com.tr'],
    },
    {
      what: 'the three domains of iCloud',
      key: 'a.da@icloud.com',
      same: ['a.da@icloud.com', 'a.da@me.com', 'a.da+x@mac.com'],
    },
  ])('ignores $what', ({ key, same }) => {
    expect(same.map(abuseKey)).toEqual(same.map(() => key))
  })

  test.each([
    'a.da@uni.edu',
    'a-da@gmail.com',
    'a_da@yandex.ru',
    'a-da@icloud.com',
    'ada@me.com.de',
  ])('of %s is the identity itself', (identity) => {
    expect(abuseKey(identity)).toBe(identity)
  })
})

const domains = `uni.edu gmail.com googlemail.com proton.me protonmail.com pm.me protonmail.ch
  icloud.com me.com mac.com yandex.ru ya.ru yandex.kz yandex.com.tr narod.ru
  notproton.me myandex.ru a.me.com yandex.example.com`.split(/\s+/)
const identities = fc
  .record({
    local: fc.string({
      unit: fc.constantFrom('a', 'b', '.', '_', '-', '+'),
      minLength: 1,
      maxLength: 8,
    }),
    domain: fc.constantFrom(...domains),
  })
  .map(({ local, domain }) => `${local}@${domain}`)
  .filter((identity) => parseEmailAddress(identity) !== undefined)

test('the abuse key of an abuse key is itself', () => {
  fc.assert(
    fc.property(identities, (identity) => {
      expect(abuseKey(abuseKey(identity))).toBe(abuseKey(identity))
    }),
  )
})
