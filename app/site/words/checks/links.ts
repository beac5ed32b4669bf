import { withScheme } from '../difference.ts'

/** The fault of a typed link, in words. Undefined: it has none. */
export function linkFault(typed: string): string | undefined {
  const url = URL.parse(withScheme(typed))
  if (!url || /\s/.test(typed.trim())) return 'This is not a link: it needs a host with a dot.'
  if (!['https:', 'http:'].includes(url.protocol)) {
    return `This is not a link to a page: it begins with “${url.protocol}”. Use https://.`
  }
  const hasDot = /[^.]\.[^.\d][^.]*$/.test(url.hostname)
  if (!hasDot) return 'This is not a link: it needs a host with a dot.'
  if (url.username || url.password) return 'This link has a password in it. Leave it out.'
  return undefined
}
