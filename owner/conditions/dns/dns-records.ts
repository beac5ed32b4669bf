import { Resolver } from 'node:dns/promises'
import type { DnsLookUps } from '#owner/acts/command-context.ts'
import { CommandError } from '#owner/acts/errors.ts'
import type { CheckContext } from '../check-context.ts'

type Asker = Pick<CheckContext, 'dns'>

/** The TXT records of a name, each joined from its pieces. None, if the name does not exist. */
export async function lookUpTxt(context: Asker, name: string): Promise<string[]> {
  const found = await lookUp(context, name, (dns) => dns.resolveTxt(name))
  return found.map((pieces) => pieces.join(''))
}

/** The IPv4 addresses of a name. */
export function lookUpIpv4(context: Asker, name: string): Promise<string[]> {
  return lookUp(context, name, (dns) => dns.resolve4(name))
}

/** The IPv6 addresses of a name. */
export function lookUpIpv6(context: Asker, name: string): Promise<string[]> {
  return lookUp(context, name, (dns) => dns.resolve6(name))
}

/**
 * Throws a CommandError if there is no answer, and if nobody here knows the names of the internet.
 */
async function lookUp<Found>(
  context: Asker,
  name: string,
  ask: (dns: DnsLookUps) => Promise<Found[]>,
): Promise<Found[]> {
  const dns = context.dns ?? new Resolver({ timeout: 3_000, tries: 2 })
  try {
    return await ask(dns)
  } catch (fault) {
    const code = codeOf(fault)
    if (code !== 'ENODATA' && code !== 'ENOTFOUND') {
      throw new CommandError(
        `${name} cannot be looked up: no DNS server gave an answer (${code}). Try again later.`,
      )
    }
    if (await knowsTheInternet(dns)) return []
    throw new CommandError(
      `${name} cannot be looked up: this machine reaches no DNS server of the internet.`,
    )
  }
}

/** A resolver of a closed network says of every name that it does not exist. */
function knowsTheInternet(dns: DnsLookUps): Promise<boolean> {
  return dns.resolveNs('com').then(
    () => true,
    () => false,
  )
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : String(fault)
}

/** The tags of a DKIM or DMARC record, such as `v=DKIM1; k=rsa; p=…`, by their name. */
export function tagsOf(record: string): Map<string, string> {
  const tags = record.matchAll(/([^;=]+)=([^;]*)/g)
  return new Map(
    Array.from(tags, ([, name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]),
  )
}
