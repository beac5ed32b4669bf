import { useLimit } from '#server/database/limit-windows.ts'
import type { DeskRequest } from '../desk-request.ts'
import { wasSignedInBefore } from './sessions.ts'

const hourMs = 60 * 60_000
const codesPerNetworkAnHour = 5
/** A guess succeeds about once in a million hours, since each code allows five tries. */
const codesAnHour = 20
/** Kept for browsers that were signed in before, so that strangers cannot lock the owner out. */
const codesForKnownBrowsersAnHour = 5
const callsPerNetworkAnHour = 60

/** A browser that was signed in before may always ask for a code and type one. */
export async function isWithinCallLimit(deskRequest: DeskRequest): Promise<boolean> {
  if (await wasSignedInBefore(deskRequest)) return true
  return isWithin(deskRequest, `desk calls ${networkOf(deskRequest)}`, callsPerNetworkAnHour)
}

/** A network above its limit does not use up the common limit. */
export async function mayHaveCode(deskRequest: DeskRequest): Promise<boolean> {
  if (await wasSignedInBefore(deskRequest)) {
    if (await isWithin(deskRequest, 'desk known', codesForKnownBrowsersAnHour)) return true
  }
  const network = `desk ${networkOf(deskRequest)}`
  if (!(await isWithin(deskRequest, network, codesPerNetworkAnHour))) return false
  return isWithin(deskRequest, 'desk', codesAnHour)
}

/**
 * Counts one use of `name`. Returns false above `anHour` uses within an hour that begins with the
 * first.
 */
async function isWithin({ server }: DeskRequest, name: string, anHour: number): Promise<boolean> {
  const { used } = await server.database.transaction((transaction) =>
    useLimit(transaction, name, hourMs, server.now()),
  )
  return used <= anHour
}

/** A keyed hash of the client's network: the /48 of IPv6, all of which one stranger may hold. */
function networkOf({ server, request }: DeskRequest): string {
  const { network, widerNetwork } = server.gate.networksOf(request.raw)
  return widerNetwork ?? network
}
