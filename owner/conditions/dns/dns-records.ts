import { Resolver } from 'node:dns/promises'
import { getDomain } from 'tldts'
import { CommandError } from '#owner/acts/command-context.ts'
import type { CheckContext } from '../finding.ts'

/**
 * The TXT records of a name, each joined from its pieces. None are found if the name does not
 * exist.
 */
export async function lookUpTxt(
  { resolveTxt }: Pick<CheckContext, 'resolveTxt'>,
  name: string,
): Promise<string[]> {
  const dns = resolveTxt ? { resolveTxt } : new Resolver({ timeout: 3_000, tries: 2 })
  try {
    return (await dns.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : String(fault)
    if (code === 'ENODATA' || code === 'ENOTFOUND') return []
    throw new CommandError(`${name} cannot be looked up: ${code}. Try again later.`)
  }
}

/** The tags of a DKIM or DMARC record, such as `v=DKIM1; k=rsa; p=…`, by their name. */
export function tagsOf(record: string): Map<string, string> {
  const tags = record.matchAll(/([^;=]+)=([^;]*)/g)
  return new Map(
    Array.from(tags, ([, name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]),
  )
}

/** The domain that was registered, by the Public Suffix List that receivers use too. */
export function organizationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase()
}
