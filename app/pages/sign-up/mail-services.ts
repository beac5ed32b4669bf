import { addressSlips } from '#content/address-slips.ts'
import { brand } from '#content/brand.ts'
import type { NoteText } from './note-words.ts'

/** The address that was probably meant, if the domain is a known misspelling. */
export function suggestAddress(typed: string): string | undefined {
  const [, local, domain] = /^\s*(.+)@([^@\s]+)\s*$/.exec(typed) ?? []
  if (local === undefined || domain === undefined) return undefined
  const slip = domain.toLowerCase()
  return Object.hasOwn(addressSlips, slip) ? `${local}@${addressSlips[slip]}` : undefined
}

/** The visitor's webmail; it opens with a search for our mail where its address allows that. */
export function webmailLink(address: string, byDomain: NoteText['webmail']) {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const webmail = Object.hasOwn(byDomain, domain) ? byDomain[domain] : undefined
  if (!webmail) return undefined
  const { name, url, searchUrl } = webmail
  return { name, href: searchUrl ? searchUrl + encodeURIComponent(`"${brand.name}"`) : url }
}
