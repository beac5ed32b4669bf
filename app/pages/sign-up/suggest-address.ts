import { addressSlips } from '#content/address-slips.ts'

/** The address that was probably meant, if the domain of this one is a known slip. */
export function suggestAddress(typed: string): string | undefined {
  const [, local, domain] = /^\s*(.+)@([^@\s]+)\s*$/.exec(typed) ?? []
  if (local === undefined || domain === undefined) return undefined
  const slip = domain.toLowerCase()
  return Object.hasOwn(addressSlips, slip) ? `${local}@${addressSlips[slip]}` : undefined
}
