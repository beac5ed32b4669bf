import { randomUUID } from 'node:crypto'
import type { Connection } from '../database/json-rows.ts'
import { enqueue } from '../deliveries/deliveries.ts'
import { claimResends, enrol, erase, findActive, type NewSubscriber } from '../subscribers/subscribers.ts'
import { abuseKey, checkMailCeilings, countByNetwork, type LimitContext, type MailCeiling } from './limits.ts'

export interface SignUp {
  address: string
  identity: string
  /** Keyed hash of the network it came from. */
  network: string
}

/** Times are ms since 1970. `nextResendAt`: from then on another sign-up of the address sends the mail again. */
export type SignUpOutcome =
  | { kind: 'registered'; nextResendAt: number }
  | { kind: 'already-registered'; resentAt: number }
  | { kind: 'already-registered'; nextResendAt: number }
  | { kind: 'refused'; by: 'network' | 'address' | 'domain'; retryAfterSeconds: number }

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
 * one outcome per sign-up, in order. Of equal ones the first counts; the others find it there.
 */
export async function registerSignUps(
  connection: Connection,
  signUps: readonly SignUp[],
  context: RegistrationContext,
): Promise<SignUpOutcome[]> {
  const { now } = context
  const refusedUntil = await countByNetwork(connection, signUps, context)
  const firsts = new Map<string, SignUp>()
  signUps.forEach((signUp, index) => {
    if (refusedUntil[index] === undefined && !firsts.has(signUp.identity)) firsts.set(signUp.identity, signUp)
  })
  const outcomes = await registerDistinct(connection, [...firsts.values()], context)
  return signUps.map((signUp, index): SignUpOutcome => {
    const until = refusedUntil[index]
    if (until !== undefined)
      return { kind: 'refused', by: 'network', retryAfterSeconds: secondsUntil(until, now) }
    const outcome = outcomes.get(signUp.identity)!
    return firsts.get(signUp.identity) === signUp ? outcome : repeated(outcome, context)
  })
}

/** The outcome of a sign-up whose equal in the same group had `first`. */
function repeated(first: SignUpOutcome, { now, resendAfterMs }: RegistrationContext): SignUpOutcome {
  if (first.kind === 'refused') return first
  const nextResendAt = 'nextResendAt' in first ? first.nextResendAt : now + resendAfterMs
  return { kind: 'already-registered', nextResendAt }
}

/** The outcomes of sign-ups that differ from each other, by identity. */
async function registerDistinct(
  connection: Connection,
  signUps: readonly SignUp[],
  context: RegistrationContext,
): Promise<Map<string, SignUpOutcome>> {
  const { now, resendAfterMs, hideAlreadyExists } = context
  const ceilings = await checkMailCeilings(connection, signUps, context)
  const within = signUps.filter((_, index) => ceilings[index]!.refusedBy === undefined)
  const enrolled = await enrol(connection, within.map(toSubscriber), now)
  const isNew = new Set(enrolled.map(({ identity }) => identity))

  const known = within.map(({ identity }) => identity).filter((identity) => !isNew.has(identity))
  const resent =
    known.length > 0 || hideAlreadyExists
      ? await claimResends(connection, known, now - resendAfterMs, now)
      : []
  const isResent = new Set(resent.map(({ identity }) => identity))

  const unmailed = signUps
    .map(({ identity }) => identity)
    .filter((identity) => !isNew.has(identity) && !isResent.has(identity))
  const active = unmailed.length > 0 || hideAlreadyExists ? await findActive(connection, unmailed) : []
  const lastMailedAt = new Map(active.map((row) => [row.identity, row.last_mailed_at]))

  const toMail = [...enrolled, ...resent].map(({ id }) => id)
  if (hideAlreadyExists) await enqueueWithDecoys(connection, toMail, unmailed.length, context)
  else await enqueueMails(connection, toMail, context)

  return new Map(
    signUps.map(({ identity }, index) => {
      if (isResent.has(identity)) return [identity, { kind: 'already-registered', resentAt: now }]
      const ceiling = ceilings[index]!
      if (isNew.has(identity))
        return [
          identity,
          { kind: 'registered', nextResendAt: Math.max(now + resendAfterMs, ceiling.nextMailAt) },
        ]
      return [identity, unmailedOutcome(lastMailedAt.get(identity), ceiling, context)]
    }),
  )
}

/** The outcome of a sign-up that no mail follows. `lastMailedAt`: undefined if the address is not on the list. */
function unmailedOutcome(
  lastMailedAt: number | undefined,
  { refusedBy, nextMailAt }: MailCeiling,
  { now, resendAfterMs }: RegistrationContext,
): SignUpOutcome {
  if (refusedBy && lastMailedAt === undefined)
    return { kind: 'refused', by: refusedBy, retryAfterSeconds: secondsUntil(nextMailAt, now) }
  const waitEndsAt = (lastMailedAt ?? now) + resendAfterMs
  if (refusedBy) return { kind: 'already-registered', nextResendAt: Math.max(waitEndsAt, nextMailAt) }
  // After the wait, without a resend: the last mail is still on its way.
  return { kind: 'already-registered', nextResendAt: waitEndsAt > now ? waitEndsAt : now + resendAfterMs }
}

/** Writes the rows of as many decoys as there are sign-ups without a mail, and deletes them in the same transaction. */
async function enqueueWithDecoys(
  connection: Connection,
  subscribers: readonly number[],
  decoyCount: number,
  context: RegistrationContext,
) {
  const newcomers = Array.from({ length: decoyCount }, (): NewSubscriber => {
    const identity = `${randomUUID()}@decoy.invalid`
    return { identity, address: identity, abuse_key: null }
  })
  const decoys = (await enrol(connection, newcomers, context.now)).map(({ id }) => id)
  await enqueueMails(connection, [...subscribers, ...decoys], context)
  await erase(connection, decoys)
}

async function enqueueMails(
  connection: Connection,
  subscribers: readonly number[],
  { messageIdDomain, template, now }: RegistrationContext,
) {
  if (subscribers.length === 0) return
  const owed = subscribers.map((subscriber) => ({
    subscriber,
    message_id: `<${randomUUID()}@${messageIdDomain}>`,
  }))
  await enqueue(connection, owed, template, now)
}

function toSubscriber({ identity, address }: SignUp): NewSubscriber {
  const key = abuseKey(identity)
  return { identity, address, abuse_key: key === identity ? null : key }
}

function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000))
}
