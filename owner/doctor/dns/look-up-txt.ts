import { Resolver } from 'node:dns/promises'
import type { CommandContext } from '../../command-line/command-context.ts'

export type Lookup = { kind: 'found'; records: string[] } | { kind: 'unknown'; why: string }

/** By the name servers of this machine. */
export function resolveTxt(name: string): Promise<string[][]> {
  return new Resolver({ timeout: 3_000, tries: 2 }).resolveTxt(name)
}

/** The TXT records of a name, each joined from its pieces. None are found if the name does not exist. */
export async function lookUpTxt(resolve: CommandContext['resolveTxt'], name: string): Promise<Lookup> {
  try {
    return { kind: 'found', records: (await resolve(name)).map((pieces) => pieces.join('')) }
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : String(fault)
    if (code === 'ENODATA' || code === 'ENOTFOUND') return { kind: 'found', records: [] }
    return { kind: 'unknown', why: code }
  }
}

/** `v=DKIM1; k=rsa; p=…` by tag. */
export function tagsOf(record: string): Map<string, string> {
  const tags = record.split(';').map((part): [string, string] => {
    const [name = '', ...value] = part.split('=')
    return [name.trim().toLowerCase(), value.join('=').trim()]
  })
  return new Map(tags.filter(([name]) => name !== ''))
}
