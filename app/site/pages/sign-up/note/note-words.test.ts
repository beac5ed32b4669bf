import { expect, test } from 'vitest'
import { addressSlips, webmails } from '#content/mail-domains.ts'
import { webmailLink } from './note-words.ts'

test('no known mail domain is listed as a misspelling', () => {
  const known = webmails.flatMap(({ domains }) => domains)
  for (const [slip, meant] of Object.entries(addressSlips)) {
    expect(known).not.toContain(slip)
    expect(addressSlips).not.toHaveProperty([meant])
    expect(slip).toBe(slip.toLowerCase())
  }
})

test('the link to Gmail searches for our mail, spam included, and one without search links opens the inbox', () => {
  expect(webmailLink('ana@GMAIL.com', 'My Bot')).toEqual({
    name: 'Gmail',
    href: 'https://mail.google.com/mail/#search/in%3Aanywhere+%22My%20Bot%22',
  })
  expect(webmailLink('ana@outlook.com', 'My Bot')?.href).toBe('https://outlook.live.com/mail/')
  expect(webmailLink('ana@constructor', 'My Bot')).toBeUndefined()
})
