import type { CommandContext } from '#owner/acts/command-context.ts'
import type { Finding } from '#owner/conditions/finding.ts'
import { ownerOf } from './owner-commands.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { temporaryDatabase } from '../database/temporary-database.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** TXT records by name, or an error code. Every other name does not exist. */
export type Zone = Record<string, string[] | 'ETIMEOUT' | 'ESERVFAIL'>

interface DoctorOptions {
  environment?: Record<string, string>
  zone?: Zone
  outside?: Partial<CommandContext>
}

/** Nothing listens there. */
export const nowhere = 'http://127.0.0.1:2'

/** Runs the doctor on a new installation. Returns its findings by id, as `STATE what`. */
export async function askDoctor(
  { environment = {}, zone = {}, outside = {} }: DoctorOptions,
  ...words: string[]
) {
  const url = environment['DATABASE_URL'] ?? (await temporaryDatabase(ownerMigrations)).url
  const owner = ownerOf(
    url,
    { PUBLIC_URL: nowhere, ...environment },
    { folder: temporaryFolder(), now: Date.now, resolveTxt: resolverOf(zone), ...outside },
  )
  const { code, printed, aside } = await owner('doctor', '--json', ...words)
  const findings: Finding[] = printed === '' ? [] : JSON.parse(printed)
  const of = (id: string) => findings.filter((one) => one.id === id)
  return {
    code,
    aside,
    findings,
    of,
    said: (id: string) =>
      of(id)
        .map(({ state, what }) => `${state} ${what}`)
        .join('\n'),
  }
}

export function resolverOf(zone: Zone): NonNullable<CommandContext['resolveTxt']> {
  return async (name) => {
    const found = zone[name] ?? 'ENOTFOUND'
    if (typeof found === 'string') throw Object.assign(new Error(found), { code: found })
    // The DNS holds it in pieces of at most 255 characters.
    return found.map((record) => record.match(/.{1,255}/g) ?? [])
  }
}
