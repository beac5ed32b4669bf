import type { Transaction } from '#server/database/database.ts'
import { readLimit, useLimit } from '#server/database/limit-windows.ts'
import type { DeskRequest } from '../desk-request.ts'
import { wasSignedInBefore } from './sessions.ts'

const hourMs = 60 * 60_000
const codesPerNetworkAnHour = 5
/** A guess succeeds about once in a million hours, since each code allows five tries. */
const codesAnHour = 20
/** Kept for browsers that were signed in before, so that strangers cannot lock the owner out. */
const codesForKnownBrowsersAnHour = 5

/**
 * Reads before it writes: once all codes of the hour are used, or those of the network, a stranger
 * adds no row, from however many networks.
 */
export async function mayHaveCode(deskRequest: DeskRequest): Promise<boolean> {
  const isKnown = await wasSignedInBefore(deskRequest)
  const { server } = deskRequest
  const now = server.now()
  return server.database.transaction(async (transaction) => {
    const take = (names: readonly Ceiling[]) => takeAll(transaction, names, now)
    const forKnown = { name: 'desk known', anHour: codesForKnownBrowsersAnHour }
    if (isKnown && (await take([forKnown]))) return true
    const ofNetwork = { name: `desk ${networkOf(deskRequest)}`, anHour: codesPerNetworkAnHour }
    return take([{ name: 'desk', anHour: codesAnHour }, ofNetwork])
  })
}

interface Ceiling {
  name: string
  /** Uses within an hour that begins with the first. */
  anHour: number
}

/** Counts one use of each ceiling. False: one of them is reached, and nothing is counted. */
async function takeAll(
  transaction: Transaction,
  ceilings: readonly Ceiling[],
  now: number,
): Promise<boolean> {
  await transaction.lock('codes of the desk')
  for (const { name, anHour } of ceilings) {
    const open = await readLimit(transaction, name, hourMs, now)
    if (open && open.used >= anHour) return false
  }
  for (const { name } of ceilings) await useLimit(transaction, name, hourMs, now)
  return true
}

/** A keyed hash of the client's network: the /48 of IPv6, all of which one stranger may hold. */
function networkOf({ server, request }: DeskRequest): string {
  const { network, widerNetwork } = server.gate.networksOf(request.raw)
  return widerNetwork ?? network
}
