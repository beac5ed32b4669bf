import type { Config } from '#server/config.ts'

export function senderDomain({ mailFrom }: Pick<Config, 'mailFrom'>): string {
  return mailFrom.address.slice(mailFrom.address.lastIndexOf('@') + 1).toLowerCase()
}

export function isLocal(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host) || host.endsWith('.localhost')
}

/** Labels below a country under which everybody may register. */
const sharedLabels = new Set(['ac', 'co', 'com', 'edu', 'gov', 'ne', 'net', 'or', 'org'])

/**
 * The domain that was registered: the last two labels, or three where the last two are of the kind `co.uk`. Receivers use
 * the Public Suffix List, with thousands of entries; this is right for the usual ones.
 */
export function organizationOf(domain: string): string {
  const labels = domain.toLowerCase().split('.')
  const [second = '', top = ''] = labels.slice(-2)
  return labels.slice(top.length === 2 && sharedLabels.has(second) ? -3 : -2).join('.')
}
