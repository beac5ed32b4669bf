import { getDomain } from 'tldts'

/** The domain that was registered, by the Public Suffix List that receivers use too. */
export function organizationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase()
}
