import { getDomain } from 'tldts'
import type { Config } from '#server/configuration/config.ts'

export function senderDomain({ mailFrom }: Pick<Config, 'mailFrom'>): string {
  return mailFrom.address.slice(mailFrom.address.lastIndexOf('@') + 1).toLowerCase()
}

/** The domain that was registered, by the Public Suffix List that receivers use too. */
export function organizationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase()
}
