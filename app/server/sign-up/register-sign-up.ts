import { clockToleranceMs, dayMs, isWaitOver } from '../database/clock.ts'
import type { Transaction } from '../database/database.ts'
import { queueMail } from '../deliveries/deliveries.ts'
import type { RecordEvent } from '../subscribers/events.ts'
import {
  abuseKey,
  addSubscriber,
  markMailedAgain,
  type NewSubscriber,
  readInbox,
  signUpAgain,
} from '../subscribers/subscribers.ts'
import type { ClientNetworks } from '../http/client-address.ts'
import { countByNetwork, countQueuedMail, findMailCeiling, type LimitContext } from './limits.ts'

/** A sign-up whose address is valid. */
export interface SignUp extends NewSubscriber {
  networks: ClientNetworks
}

/**
 * Times are ms since 1970. `nextResendAt`: when another sign-up of the address sends the mail
 * again.
 */
export type SignUpOutcome =
  | { kind: 'registered'; nextResendAt: number; receipt: string }
  | { kind: 'resent'; resentAt: number; receipt: string }
  | { kind: 'already-registered'; nextResendAt: number }
  | { kind: 'refused'; by: 'network' | 'address' | 'domain'; retryAfterSeconds: number }

export interface SignUpContext extends LimitContext {
  resendAfterMs: number
  /** Hash of the starter mail's template. */
  template: string
  /** The right side of the Message-IDs. */
  senderDomain: string
  recordEvent: RecordEvent
}

/**
 * Registers one sign-up: a row of the subscriber and a row of the mail, in the caller's
 * transaction.
 */
export async function registerSignUp(
  transaction: Transaction,
  signUp: SignUp,
  context: SignUpContext,
): Promise<SignUpOutcome> {
  const { now, resendAfterMs } = context
  const { refusedUntil, priority } = await countByNetwork(transaction, signUp.networks, context)
  if (refusedUntil !== undefined) return refused('network', refusedUntil, now)

  const key = abuseKey(signUp.identity)
  await transaction.lock(`inbox ${key}`)
  const inbox = await readInbox(transaction, key, {
    from: now - dayMs,
    until: now + clockToleranceMs,
  })
  if (inbox.some(({ state }) => state === 'blocked')) {
    return { kind: 'already-registered', nextResendAt: now + resendAfterMs }
  }

  const known = inbox.find(({ identity }) => identity === signUp.identity)
  const isListed = known?.state === 'active'
  if (isListed) {
    const nextResendAt = known.last_mailed_at + resendAfterMs
    if (!isWaitOver(nextResendAt, now, resendAfterMs)) {
      return { kind: 'already-registered', nextResendAt }
    }
    if (known.is_mail_under_way) {
      return { kind: 'already-registered', nextResendAt: now + resendAfterMs }
    }
  }

  const ceiling = await findMailCeiling(transaction, signUp.identity, inbox, context)
  if (ceiling && isListed) return { kind: 'already-registered', nextResendAt: ceiling.until }
  if (ceiling) return refused(ceiling.by, ceiling.until, now)

  const subscriber = known?.id ?? (await addSubscriber(transaction, signUp, now))
  if (isListed) await markMailedAgain(transaction, subscriber, now)
  else if (known) await signUpAgain(transaction, subscriber, signUp, now)
  if (!isListed) await context.recordEvent(transaction, 'joined', subscriber, now)

  const receipt = await queueMail(transaction, { ...context, subscriber, priority })
  await countQueuedMail(transaction, signUp.identity, context)
  return isListed
    ? { kind: 'resent', resentAt: now, receipt }
    : { kind: 'registered', nextResendAt: now + resendAfterMs, receipt }
}

function refused(by: 'network' | 'address' | 'domain', until: number, now: number): SignUpOutcome {
  return { kind: 'refused', by, retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) }
}
