import { brand } from '#content/brand.ts'
import { webmailByDomain } from '#content/webmail.ts'

/** Where the visitor reads mail in the browser, searching for ours where the address can say so. */
export function webmailLink(address: string): { name: string; href: string } | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  if (!Object.hasOwn(webmailByDomain, domain)) return undefined
  const webmail = webmailByDomain[domain]
  if (!webmail) return undefined
  const { name, url, searchUrl } = webmail
  return { name, href: searchUrl ? searchUrl + encodeURIComponent(`"${brand.name}"`) : url }
}
