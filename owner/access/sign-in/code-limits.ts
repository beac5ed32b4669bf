import type { Transaction } from '#server/database/database.ts'
import { readLimit, useLimit } from '#server/database/limit-windows.ts'
import type { DeskRequest } from '#owner/acts/desk-request.ts'
import { wasSignedInBefore } from './sessions.ts'

const hourMs = 60 * 60_000
const codesPerNetworkAnHour = 5
/** 100 guesses an hour, at five a code, of 100 million codes: one succeeds in a million hours. */
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
  const ofKnownBrowsers = { name: 'desk known', maxPerHour: codesForKnownBrowsersAnHour }
  const ofDesk = { name: 'desk', maxPerHour: codesAnHour }
  const ofNetwork = { name: `desk ${networkOf(deskRequest)}`, maxPerHour: codesPerNetworkAnHour }
  return server.database.transaction(async (transaction) => {
    // A known browser whose own limit is reached may still take one of everybody's codes.
    if (isKnown && (await countUses(transaction, [ofKnownBrowsers], now))) return true
    return countUses(transaction, [ofDesk, ofNetwork], now)
  })
}

interface HourlyLimit {
  name: string
  /** Uses within an hour that begins with the first. */
  maxPerHour: number
}

/** Counts one use of each limit. False: one of them is reached, and nothing is counted. */
async function countUses(
  transaction: Transaction,
  limits: readonly HourlyLimit[],
  now: number,
): Promise<boolean> {
  await transaction.lock('codes of the desk')
  for (const { name, maxPerHour } of limits) {
    const open = await readLimit(transaction, name, now)
    if (open && open.used >= maxPerHour) return false
  }
  for (const { name } of limits) await useLimit(transaction, name, hourMs, now)
  return true
}

/** A keyed hash of the client's network: the /48 of IPv6, all of which one stranger may hold. */
function networkOf({ server, request }: DeskRequest): string {
  const { network, widerNetwork } = server.gate.networksOf(request.raw)
  return widerNetwork ?? network
}
