import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { webmailByDomain } from '#content/webmail.ts'
import { webmailLink } from './webmail-link.ts'

test('Gmail opens with a search for our mail, spam included', () => {
  expect(webmailLink('ana@GMAIL.com')).toEqual({
    name: 'Gmail',
    href: `https://mail.google.com/mail/#search/in%3Aanywhere+%22${encodeURIComponent(brand.name)}%22`,
  })
})

test('where a link cannot search, the plain inbox opens', () => {
  expect(webmailLink('ana@outlook.com')).toEqual({ name: 'Outlook', href: 'https://outlook.live.com/mail/' })
})

test.each(['ana@example.com', 'ana@constructor', 'ana'])('%s gets no button', (address) => {
  expect(webmailLink(address)).toBeUndefined()
})

test('the address itself is in no link', () => {
  for (const domain of Object.keys(webmailByDomain))
    expect(webmailLink(`marker@${domain}`)?.href).not.toContain('marker')
})
