import { addressSlips, endingSlips } from '#content/mail-domains.ts'

/**
 * Returns the address that was probably meant, if the domain or its ending is a known slip:
 * `ana@gmial.com`, `ana@example.con`.
 */
export function suggestAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@') + 1
  const typed = address.slice(at).toLowerCase()
  const dot = typed.lastIndexOf('.') + 1
  const domain = typed.slice(0, dot) + meantBy(endingSlips, typed.slice(dot))
  const meant = meantBy(addressSlips, domain)
  return meant === typed ? undefined : address.slice(0, at) + meant
}

/** A slip may be called like a property that every object has, such as `constructor`. */
function meantBy(slips: Readonly<Record<string, string>>, typed: string): string {
  return Object.hasOwn(slips, typed) ? slips[typed]! : typed
}
