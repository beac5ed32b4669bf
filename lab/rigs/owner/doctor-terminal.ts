import type { CommandContext, DnsLookUps } from '#owner/acts/command-context.ts'
import type { Condition } from '#owner/conditions/condition.ts'
import { ownerOf } from './owner-commands.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { temporaryDatabase } from '../database/temporary-database.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** TXT records by name, or an error code. Every other name does not exist. */
export type Zone = Record<string, string[] | 'ETIMEOUT' | 'ESERVFAIL'>

interface Addresses {
  ipv4?: Record<string, string[]>
  ipv6?: Record<string, string[]>
  /** No name of the internet is known there. */
  isClosed?: boolean
}

interface DoctorOptions {
  environment?: Record<string, string>
  zone?: Zone
  addresses?: Addresses
  outside?: Partial<CommandContext>
}

/** Nothing listens there. */
export const nowhere = 'http://127.0.0.1:2'

/** Runs the doctor on a new installation. Returns its conditions by id, as `SEVERITY what`. */
export async function askDoctor(
  { environment = {}, zone = {}, addresses = {}, outside = {} }: DoctorOptions,
  ...words: string[]
) {
  const url = environment['DATABASE_URL'] ?? (await temporaryDatabase(ownerMigrations)).url
  const owner = ownerOf(
    url,
    { PUBLIC_URL: nowhere, ...environment },
    {
      folder: temporaryFolder(),
      now: Date.now,
      dns: dnsOf(zone, addresses),
      answerMs: 100_000, // a busy machine answers late
      ...outside,
    },
  )
  const { code, printed, aside } = await owner('doctor', '--json', ...words)
  const conditions: Condition[] = printed === '' ? [] : JSON.parse(printed)
  const of = (id: string) => conditions.filter((one) => one.id === id)
  return {
    code,
    aside,
    conditions,
    of,
    said: (id: string) =>
      of(id)
        .map(({ severity, what }) => `${severity} ${what}`)
        .join('\n'),
  }
}

export function dnsOf(
  zone: Zone,
  { ipv4 = {}, ipv6 = {}, isClosed = false }: Addresses = {},
): DnsLookUps {
  const answer = async (found: string[] | string) => {
    if (typeof found === 'string') throw Object.assign(new Error(found), { code: found })
    return found
  }
  return {
    // The DNS holds it in pieces of at most 255 characters.
    resolveTxt: async (name) =>
      (await answer(zone[name] ?? 'ENOTFOUND')).map((record) => record.match(/.{1,255}/g) ?? []),
    resolve4: (name) => answer(ipv4[name] ?? 'ENOTFOUND'),
    resolve6: (name) => answer(ipv6[name] ?? 'ENOTFOUND'),
    resolveNs: () => answer(isClosed ? 'ENOTFOUND' : ['a.gtld-servers.net']),
  }
}
