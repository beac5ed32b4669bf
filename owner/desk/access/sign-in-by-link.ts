import type { Call } from '../call.ts'
import { Refused } from '../procedures.ts'
import { useUp } from './secrets.ts'
import { startSession } from './sessions.ts'

/** The link of the owner's command desk-link. */
export async function signInByLink(call: Call, token: string) {
  const { database, now } = call
  const used = await database.transaction((transaction) => useUp(transaction, token, 'link', now()))
  if (used !== undefined) return startSession(call, 'Signed in by a link')
  const why = 'This link was used, or is older than 5 minutes. Make another one.'
  throw new Refused(why, { code: 'UNAUTHORIZED', reason: 'wrong-proof' })
}
