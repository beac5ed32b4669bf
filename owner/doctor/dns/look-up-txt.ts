import { Resolver } from 'node:dns/promises'
import { getDomain } from 'tldts'
import { type CommandContext, CommandError } from '../../command-line/command-context.ts'

/** Asks the name servers of this machine. */
export function resolveTxt(name: string): Promise<string[][]> {
  return new Resolver({ timeout: 3_000, tries: 2 }).resolveTxt(name)
}

/** The TXT records of a name, each joined from its pieces. None are found if the name does not exist. */
export async function lookUpTxt(resolve: CommandContext['resolveTxt'], name: string): Promise<string[]> {
  try {
    return (await resolve(name)).map((pieces) => pieces.join(''))
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : String(fault)
    if (code === 'ENODATA' || code === 'ENOTFOUND') return []
    throw new CommandError(`${name} cannot be looked up: ${code}. Try again later.`)
  }
}

/** `v=DKIM1; k=rsa; p=…` by tag. */
export function tagsOf(record: string): Map<string, string> {
  return new Map(
    record.split(';').map((part) => {
      const [name = '', ...value] = part.split('=')
      return [name.trim().toLowerCase(), value.join('=').trim()]
    }),
  )
}

/** The domain that was registered, by the Public Suffix List that receivers use too. */
export function organizationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase()
}
