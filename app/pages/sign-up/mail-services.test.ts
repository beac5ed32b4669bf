import { expect, test } from 'vitest'
import { parseEmailAddress } from '#contract/email-address.ts'
import { addressSlips } from '#content/address-slips.ts'
import { brand } from '#content/brand.ts'
import { webmailByDomain } from '#content/webmail.ts'
import { suggestAddress, webmailLink } from './mail-services.ts'

const linkFor = (address: string) => webmailLink(address, webmailByDomain)

test.each([
  ['ana@gmial.com', 'ana@gmail.com'],
  ['Ana.Lee+bot@HotNail.com', 'Ana.Lee+bot@hotmail.com'],
  ['  ana@gmail.con ', 'ana@gmail.com'],
  ['"odd@name"@yaho.com', '"odd@name"@yahoo.com'],
])('%j is corrected to %s', (typed, meant) => {
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
])('%j gets no suggestion', (typed) => {
  expect(suggestAddress(typed)).toBeUndefined()
})

test('no known mail service is listed as a misspelling, and every suggestion is a valid address', () => {
  for (const [slip, meant] of Object.entries(addressSlips)) {
    expect(webmailByDomain).not.toHaveProperty([slip])
    expect(addressSlips).not.toHaveProperty([meant])
    expect(slip).toBe(slip.toLowerCase())
    expect(parseEmailAddress(`ana@${meant}`)).toBeDefined()
  }
})

test('the link to Gmail searches for our mail, spam included', () => {
  expect(linkFor('ana@GMAIL.com')).toEqual({
    name: 'Gmail',
    href: `https://mail.google.com/mail/#search/in%3Aanywhere+%22${encodeURIComponent(brand.name)}%22`,
  })
})

test('a webmail without search links opens its inbox', () => {
  expect(linkFor('ana@outlook.com')).toEqual({ name: 'Outlook', href: 'https://outlook.live.com/mail/' })
})

test.each(['ana@example.com', 'ana@constructor', 'ana'])('%s gets no link', (address) => {
  expect(linkFor(address)).toBeUndefined()
})

test('no link contains the address', () => {
  for (const domain of Object.keys(webmailByDomain))
    expect(linkFor(`marker@${domain}`)?.href).not.toContain('marker')
})
