// The path matters: to Node, `punycode` alone is a deprecated module of its own.
import { toUnicode } from 'punycode/punycode.es6.js'
import { parseEmailAddress } from './email-address.ts'

/**
 * Returns an address with its domain in the characters in which it was typed: Chromium turns
 * `ana@münchen.example` into `ana@xn--mnchen-3ya.example` before a page can read it.
 */
export function shownAddress(address: string): string {
  const shown = decodeDomain(address)
  return parseEmailAddress(shown)?.address === address ? shown : address
}

function decodeDomain(address: string): string {
  try {
    return toUnicode(address)
  } catch {
    return address // a label is not Punycode
  }
}
