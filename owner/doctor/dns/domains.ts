import { getDomain } from 'tldts'
import type { Config } from '#server/configuration/config.ts'

export function senderDomain({ mailFrom }: Pick<Config, 'mailFrom'>): string {
  return mailFrom.address.slice(mailFrom.address.lastIndexOf('@') + 1).toLowerCase()
}

export function isLocal(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host) || host.endsWith('.localhost')
}

/** The domain that was registered, by the Public Suffix List that receivers use too. */
export function organizationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase()
}
