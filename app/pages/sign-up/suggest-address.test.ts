import { expect, test } from 'vitest'
import { parseEmailAddress } from '#contract/email-address.ts'
import { addressSlips } from '#content/address-slips.ts'
import { webmailByDomain } from '#content/webmail.ts'
import { suggestAddress } from './suggest-address.ts'

test.each([
  ['ana@gmial.com', 'ana@gmail.com'],
  ['Ana.Lee+bot@HotNail.com', 'Ana.Lee+bot@hotmail.com'],
  ['  ana@gmail.con ', 'ana@gmail.com'],
  ['"odd@name"@yaho.com', '"odd@name"@yahoo.com'],
])('%j was probably meant as %s', (typed, meant) => {
  expect(suggestAddress(typed)).toBe(meant)
})

test.each([
  'ana@gmail.com',
  'ana@example.com',
  'ana',
  '',
  '@gmial.com',
  'ana@',
  'ana@constructor',
  'ana@x.gmial.com',
])('%j is not doubted', (typed) => {
  expect(suggestAddress(typed)).toBeUndefined()
})

test('no domain of a known mail service is called a slip, and every suggestion is an address', () => {
  for (const [slip, meant] of Object.entries(addressSlips)) {
    expect(webmailByDomain).not.toHaveProperty([slip])
    expect(addressSlips).not.toHaveProperty([meant])
    expect(slip).toBe(slip.toLowerCase())
    expect(parseEmailAddress(`ana@${meant}`)).toBeDefined()
  }
})
