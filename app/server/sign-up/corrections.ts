import type { SignUpAccepted } from '#contract/sign-up.ts'
import type { Connection } from '../database/database.ts'
import { cancelQueued } from '../deliveries/deliveries.ts'
import { addDailyCounts, dayOf } from '../statistics/daily-counts.ts'
import { leaveIfJoinedAt } from '../subscribers/subscribers.ts'
import { addToWindows } from './limit-windows.ts'
import type { SignUp } from './read-sign-up.ts'
import type { FirstSignUp } from './receipt-seal.ts'

export type FirstMail = SignUpAccepted['firstMail']

/** As long as a receipt. */
const windowMs = 30 * 60_000

/** Returns the sign-ups that are the first to use their receipt. A limit window per receipt records the use for every instance. */
export async function claimCorrections(
  connection: Connection,
  signUps: readonly SignUp[],
  now: number,
): Promise<Set<SignUp>> {
  const correcting = signUps.filter(({ corrects }) => corrects)
  if (correcting.length === 0) return new Set()
  const first = new Map(correcting.map((one) => [one.corrects!.receipt, one]))
  const uses = Array.from(first.values(), ({ corrects }) => correctionUse(corrects!))
  const windows = await addToWindows(connection, uses, windowMs, now)
  return new Set(
    [...first.values()].filter(({ corrects }) => windows.get(correctionUse(corrects!).name)?.used === 1),
  )
}

/**
 * Cancels the mail of the first sign-up if it is still queued. A subscriber whom only that sign-up put on the list leaves it,
 * because nothing was sent there. Null: the mail is on its way, or another sign-up asked for it too.
 */
export async function cancelFirstMail(
  connection: Connection,
  first: FirstSignUp,
  now: number,
): Promise<FirstMail> {
  const { state, queuedAt } = await cancelQueued(connection, first, now)
  if (await leaveIfJoinedAt(connection, first.subscriber, queuedAt))
    await addDailyCounts(connection, [{ day: dayOf(now), event: 'unsubscribed', detail: '', count: 1 }])
  if (state === 'sent') return 'left'
  // The answer must not reveal that the mailbox refused.
  return state === 'cancelled' || state === 'failed' ? 'cancelled' : null
}

/** The use of a limit window that a correction takes, and a refused one returns. */
export function correctionUse({ receipt }: FirstSignUp) {
  return { name: `corrected ${receipt}`, amount: 1 }
}
