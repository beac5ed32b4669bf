import type { CommandContext } from '../../command-line/command-context.ts'

export type Lookup =
  { kind: 'found'; records: string[] } | { kind: 'none' } | { kind: 'unknown'; why: string }

/** The TXT records of a name, each joined from its pieces. */
export async function lookUpTxt(resolveTxt: CommandContext['resolveTxt'], name: string): Promise<Lookup> {
  try {
    const records = (await resolveTxt(name)).map((pieces) => pieces.join(''))
    return records.length > 0 ? { kind: 'found', records } : { kind: 'none' }
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : String(fault)
    return code === 'ENODATA' || code === 'ENOTFOUND' ? { kind: 'none' } : { kind: 'unknown', why: code }
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
