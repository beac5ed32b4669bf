import { randomUUID } from 'node:crypto'
import type { Connection } from '../database/database.ts'
import { enqueue, hasten, type NewDelivery } from '../deliveries/deliveries.ts'
import type { Lane } from '../deliveries/lanes.ts'
import {
  claimResends,
  deleteSubscribers,
  enrol,
  findActive,
  type NewSubscriber,
} from '../subscribers/subscribers.ts'
import { signUpPage } from '../subscribers/wordings.ts'
import { cancelFirstMail, type FirstMail, returnCorrection, takeCorrections } from './corrections.ts'
import type { SignUp } from './read-sign-up.ts'
import {
  abuseKeyColumn,
  checkMailCeilings,
  countByNetwork,
  type LimitContext,
  type MailCeiling,
} from './limits.ts'

/** Times are ms since 1970. `nextResendAt`: from then on another sign-up of the address sends the mail again. */
export type SignUpOutcome =
  | { kind: 'registered'; subscriber: number; nextResendAt: number }
  | { kind: 'already-registered'; subscriber: number; resentAt: number }
  | { kind: 'already-registered'; subscriber: number | undefined; nextResendAt: number }
  | { kind: 'refused'; by: 'network' | 'address' | 'domain'; retryAfterSeconds: number }

/** `firstMail`: only of a correction. */
export type RegisteredSignUp = SignUpOutcome & { firstMail?: FirstMail }

export interface RegistrationContext extends LimitContext {
  resendAfterMs: number
  /** Every sign-up of an address then takes the same statements and one commit, so that no time tells who is on the list. */
  hideAlreadyExists: boolean
  /** The domain on the right of the Message-IDs. */
  messageIdDomain: string
  /** Hash of the template the mails are written from. */
  template: string
}

/**
 * Registers a group of sign-ups in the caller's transaction: each new one is a subscriber row and a delivery row. Returns
 * one outcome per sign-up, in order. Among equal sign-ups the first one counts; the others find it registered.
 */
export async function registerSignUps(
  connection: Connection,
  signUps: readonly SignUp[],
  context: RegistrationContext,
): Promise<RegisteredSignUp[]> {
  const { now } = context
  const corrections = await takeCorrections(connection, signUps, now)
  const networkUses = await countByNetwork(connection, signUps, corrections, context)
  const firsts = new Map<string, SignUp>()
  const laneOf = new Map<string, Lane>()
  signUps.forEach((signUp, index) => {
    const { identity } = signUp
    const { refusedUntil, lane } = networkUses[index]!
    if (refusedUntil !== undefined) return
    if (!firsts.has(identity)) firsts.set(identity, signUp)
    if (lane < (laneOf.get(identity) ?? Infinity)) laneOf.set(identity, lane)
  })
  const outcomes = await registerDistinct(connection, [...firsts.values()], laneOf, context)
  const all = signUps.map((signUp, index): RegisteredSignUp => {
    const until = networkUses[index]!.refusedUntil
    if (until !== undefined)
      return { kind: 'refused', by: 'network', retryAfterSeconds: secondsUntil(until, now) }
    const outcome = outcomes.get(signUp.identity)!
    return firsts.get(signUp.identity) === signUp ? outcome : repeated(outcome, context)
  })
  for (const signUp of corrections) {
    const outcome = all[signUps.indexOf(signUp)]!
    if (outcome.kind === 'refused') await returnCorrection(connection, signUp.corrects!, now)
    else outcome.firstMail = await cancelFirstMail(connection, signUp.corrects!, now)
  }
  return all
}

/** The outcome of a sign-up that repeats one of the same group, whose outcome was `first`. */
function repeated(first: SignUpOutcome, { now, resendAfterMs }: RegistrationContext): SignUpOutcome {
  if (first.kind === 'refused') return first
  const nextResendAt = 'nextResendAt' in first ? first.nextResendAt : now + resendAfterMs
  return { kind: 'already-registered', subscriber: first.subscriber, nextResendAt }
}

/** The outcomes of sign-ups that differ from each other, by identity. */
async function registerDistinct(
  connection: Connection,
  signUps: readonly SignUp[],
  laneOf: ReadonlyMap<string, Lane>,
  context: RegistrationContext,
): Promise<Map<string, SignUpOutcome>> {
  const { now, resendAfterMs, hideAlreadyExists } = context
  const ceilings = await checkMailCeilings(connection, signUps, context)
  const toMail = ({ id, identity }: { id: number; identity: string }): Mailed => ({
    subscriber: id,
    lane: laneOf.get(identity)!,
    due_at: ceilings.get(identity)?.waitsUntil,
  })
  const within = signUps.filter(({ identity }) => !ceilings.get(identity)?.refusedBy)
  const enrolled = await enrol(connection, within.map(toSubscriber), now, signUpPage)
  const outcomes = new Map<string, SignUpOutcome>()
  for (const { id, identity } of enrolled) {
    const nextResendAt = Math.max(now + resendAfterMs, ceilings.get(identity)?.nextMailAt ?? 0)
    outcomes.set(identity, { kind: 'registered', subscriber: id, nextResendAt })
  }
  if (outcomes.size === signUps.length && !hideAlreadyExists) {
    await enqueueMails(connection, enrolled.map(toMail), context)
    return outcomes
  }

  const known = signUps.filter(({ identity }) => !outcomes.has(identity))
  const resent = await resendToKnown(connection, known, { ceilings, laneOf, outcomes }, context)
  const mailed = [...enrolled, ...resent].map(toMail)
  if (hideAlreadyExists) await enqueueWithDecoys(connection, mailed, known.length - resent.length, context)
  else await enqueueMails(connection, mailed, context)
  return outcomes
}

interface Deciding {
  ceilings: ReadonlyMap<string, MailCeiling>
  laneOf: ReadonlyMap<string, Lane>
  outcomes: Map<string, SignUpOutcome>
}

/** Sets the outcome of each of `known`. Returns those whose mail goes out again. */
async function resendToKnown(
  connection: Connection,
  known: readonly SignUp[],
  { ceilings, laneOf, outcomes }: Deciding,
  context: RegistrationContext,
) {
  const { now, resendAfterMs } = context
  const mayBeMailed = known.filter(({ identity }) => {
    const { refusedBy, waitsUntil } = ceilings.get(identity) ?? {}
    return refusedBy === undefined && waitsUntil === undefined
  })
  const identities = mayBeMailed.map(({ identity }) => identity)
  const resent = await claimResends(connection, identities, now - resendAfterMs, now)
  for (const { id, identity } of resent)
    outcomes.set(identity, { kind: 'already-registered', subscriber: id, resentAt: now })

  const unmailed = known.map(({ identity }) => identity).filter((identity) => !outcomes.has(identity))
  await hasten(
    connection,
    unmailed.map((identity) => ({ identity, lane: laneOf.get(identity)! })),
  )
  const active = await findActive(connection, unmailed)
  const listed = new Map(active.map((row) => [row.identity, row]))
  for (const identity of unmailed)
    outcomes.set(identity, unmailedOutcome(listed.get(identity), ceilings.get(identity), context))
  return resent
}

/** The outcome of a sign-up that no mail follows. `listed`: undefined if the address is not on the list. */
function unmailedOutcome(
  listed: { id: number; last_mailed_at: number } | undefined,
  ceiling: MailCeiling | undefined,
  { now, resendAfterMs }: RegistrationContext,
): SignUpOutcome {
  const subscriber = listed?.id
  const waitEndsAt = (listed?.last_mailed_at ?? now) + resendAfterMs
  const { refusedBy: by, nextMailAt = 0, waitsUntil } = ceiling ?? {}
  if (by && !listed) return { kind: 'refused', by, retryAfterSeconds: secondsUntil(nextMailAt, now) }
  if (by || waitsUntil !== undefined)
    return { kind: 'already-registered', subscriber, nextResendAt: Math.max(waitEndsAt, nextMailAt) }
  // After the wait, without a resend: the last mail is still on its way.
  const nextResendAt = waitEndsAt > now ? waitEndsAt : now + resendAfterMs
  return { kind: 'already-registered', subscriber, nextResendAt }
}

/** Writes the rows of as many decoys as there are sign-ups without a mail, and deletes them in the same transaction. */
async function enqueueWithDecoys(
  connection: Connection,
  mailed: readonly Mailed[],
  decoyCount: number,
  context: RegistrationContext,
) {
  const newcomers = Array.from({ length: decoyCount }, (): NewSubscriber => {
    const identity = `${randomUUID()}@decoy.invalid`
    return { identity, address: identity, abuse_key: null }
  })
  const decoys = await enrol(connection, newcomers, context.now, signUpPage)
  const decoyMails = decoys.map(({ id }): Mailed => ({ subscriber: id, lane: 0 }))
  await enqueueMails(connection, [...mailed, ...decoyMails], context)
  await deleteSubscribers(
    connection,
    decoys.map(({ id }) => id),
  )
}

type Mailed = Omit<NewDelivery, 'message_id'>

async function enqueueMails(
  connection: Connection,
  mailed: readonly Mailed[],
  { messageIdDomain, template, now }: RegistrationContext,
) {
  if (mailed.length === 0) return
  const owed = mailed.map((one) => ({ ...one, message_id: `<${randomUUID()}@${messageIdDomain}>` }))
  await enqueue(connection, owed, template, now)
}

function toSubscriber({ identity, address, attribution }: SignUp): NewSubscriber {
  const { form, campaign } = attribution ?? {}
  return { identity, address, abuse_key: abuseKeyColumn(identity), form, campaign }
}

function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000))
}
