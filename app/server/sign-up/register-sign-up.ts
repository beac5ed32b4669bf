import type { KitVersion } from '#content/releases.ts'
import type { Transaction } from '../database/database.ts'
import { queueMail } from '../deliveries/deliveries.ts'
import type { ClientNetworks } from '../http/client-address.ts'
import { abuseKey } from '../subscribers/abuse-key.ts'
import type { RecordEvent } from '../subscribers/events.ts'
import {
  addSubscriber,
  type NewSubscriber,
  noteKit,
  signUpAgain,
} from '../subscribers/subscribers.ts'
import { type InboxEntry, readInbox } from './inbox.ts'
import { type SignUpLimits, countMail, countByNetwork } from './limits.ts'

/** A sign-up whose address is valid. */
export interface SignUp extends NewSubscriber {
  networks: ClientNetworks
}

/** The outcome of a sign-up. Times are ms since 1970. */
export type SignUpOutcome =
  | { kind: 'registered'; nextResendAt: number; receipt: string }
  | { kind: 'resent'; resentAt: number; receipt: string }
  /** From `nextResendAt` on another sign-up of the address sends the mail again. */
  | { kind: 'already-registered'; nextResendAt: number }
  | { kind: 'refused'; by: 'network' | 'address' | 'domain'; retryAfterSeconds: number }

export interface SignUpContext {
  /** ms since 1970. */
  now: number
  limits: SignUpLimits
  /** The shortest time between two starter mails to an address. */
  resendAfterMs: number
  /** Hash of the starter mail's template. */
  template: string
  /** The version of the kit in the starter mail. Undefined: it has none. */
  kit: KitVersion | undefined
  /** The right side of the Message-IDs. */
  senderDomain: string
  /** Key of the hashes in the table of limits. */
  secret: string
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
  const { now, limits, resendAfterMs, template, kit, senderDomain, secret } = context
  const { identity, networks } = signUp
  const network = await countByNetwork(transaction, networks, limits, now)
  if (network.kind === 'refused') return refused('network', network.until, now)

  const key = abuseKey(identity)
  await transaction.lock(`inbox ${key}`)
  const inbox = await readInbox(transaction, key, now)
  // Answered like a sign-up that is repeated too soon, so that nobody learns of the block.
  if (inbox.some(({ state }) => state === 'blocked')) {
    return { kind: 'already-registered', nextResendAt: now + resendAfterMs }
  }

  const known = inbox.find((entry) => entry.identity === identity)
  const isListed = known?.state === 'active'
  const nextResendAt = isListed ? findNextResend(known, resendAfterMs, now) : undefined
  if (nextResendAt !== undefined) return { kind: 'already-registered', nextResendAt }

  const ceiling = await countMail(transaction, { identity, inbox, secret, now }, limits)
  if (ceiling && isListed) return { kind: 'already-registered', nextResendAt: ceiling.until }
  if (ceiling) return refused(ceiling.by, ceiling.until, now)

  const subscriber = known?.id ?? (await addSubscriber(transaction, { ...signUp, kit }, now))
  if (known) await noteKit(transaction, subscriber, kit)
  if (!isListed) {
    if (known) await signUpAgain(transaction, subscriber, signUp, now)
    await context.recordEvent(transaction, 'joined', subscriber, now)
  }
  const { priority } = network
  const mail = { subscriber, template, senderDomain, priority, now }
  const receipt = await queueMail(transaction, mail)
  return isListed
    ? { kind: 'resent', resentAt: now, receipt }
    : { kind: 'registered', nextResendAt: now + resendAfterMs, receipt }
}

/** Returns when the mail may go to a listed subscriber again. Undefined: now. */
function findNextResend(known: InboxEntry, resendAfterMs: number, now: number): number | undefined {
  const waitsUntil = (known.last_mail_at ?? 0) + resendAfterMs
  if (waitsUntil > now) return waitsUntil
  return known.is_mail_under_way ? now + resendAfterMs : undefined
}

function refused(by: 'network' | 'address' | 'domain', until: number, now: number): SignUpOutcome {
  return { kind: 'refused', by, retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) }
}
