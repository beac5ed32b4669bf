import { randomUUID } from 'node:crypto'
import type { Connection } from '../database/database.ts'
import { enqueue, promote, type NewMail } from '../deliveries/deliveries.ts'
import type { Lane } from '../deliveries/lanes.ts'
import {
  abuseKeyColumn,
  claimResends,
  deleteSubscribers,
  enrol,
  enrolAgain,
  findActive,
  markAskedAgain,
  type NewSubscriber,
} from '../subscribers/subscribers.ts'
import { signUpPage } from '../subscribers/wordings.ts'
import type { SignUp } from './read-sign-up.ts'
import { checkMailCeilings, countByNetwork, type LimitContext, type MailCeiling } from './limits.ts'

/** Times are ms since 1970. `nextResendAt`: when another sign-up of the address sends the mail again. */
export type SignUpOutcome =
  | { kind: 'registered'; subscriber: number; nextResendAt: number }
  | { kind: 'already-registered'; subscriber: number; resentAt: number }
  | { kind: 'already-registered'; subscriber: number; nextResendAt: number }
  | { kind: 'refused'; by: 'network' | 'address' | 'domain'; retryAfterSeconds: number }

export type RegisteredSignUp = SignUpOutcome

export interface RegistrationContext extends LimitContext, Pick<NewMail, 'template' | 'senderDomain'> {
  resendAfterMs: number
  /** Every address then takes the same statements and one commit, so that the time does not reveal who is on the list. */
  hideAlreadyExists: boolean
}

/** A sign-up that its network allows. */
interface Candidate {
  /** Index in the group, in order of arrival. */
  place: number
  signUp: SignUp
  identity: string
  /** The lowest of the group's sign-ups of the address. */
  lane: Lane
  ceiling?: MailCeiling | undefined
  outcome?: SignUpOutcome
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
  const networkUses = await countByNetwork(connection, signUps, context)
  const admitted = signUps.flatMap((signUp, place): Candidate[] => {
    const { refusedUntil, lane } = networkUses[place]!
    return refusedUntil === undefined ? [{ place, signUp, identity: signUp.identity, lane }] : []
  })
  const firstOf: Candidate[] = [] // by place
  const candidates: Candidate[] = []
  // Sorted to find equal ones: a map by address would cost each sign-up 1 µs.
  for (const one of admitted.toSorted(compareIdentities)) {
    const last = candidates.at(-1)
    if (last?.identity !== one.identity) candidates.push(one)
    else if (one.lane < last.lane) last.lane = one.lane
    firstOf[one.place] = candidates.at(-1)!
  }
  await registerCandidates(connection, candidates, context)
  const repeats = admitted.filter((one) => firstOf[one.place] !== one)
  if (repeats.length > 0) await markAskedAgain(connection, repeats.map(identityOf))
  return signUps.map((signUp, index): RegisteredSignUp => {
    const { refusedUntil } = networkUses[index]!
    if (refusedUntil !== undefined) return refused('network', refusedUntil, now)
    const { signUp: first, outcome } = firstOf[index]!
    return first === signUp ? outcome! : repeated(outcome!, context)
  })
}

function compareIdentities(a: { identity: string }, b: { identity: string }): number {
  return a.identity < b.identity ? -1 : a.identity === b.identity ? 0 : 1
}

function refused(by: 'network' | 'address' | 'domain', until: number, now: number): SignUpOutcome {
  return { kind: 'refused', by, retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) }
}

/** The outcome of a sign-up that repeats one of the same group, whose outcome was `first`. */
function repeated(first: SignUpOutcome, { now, resendAfterMs }: RegistrationContext): SignUpOutcome {
  if (first.kind === 'refused') return first
  const nextResendAt = 'nextResendAt' in first ? first.nextResendAt : now + resendAfterMs
  return { kind: 'already-registered', subscriber: first.subscriber, nextResendAt }
}

/** Sets the outcome of each candidate. They are sorted by identity. */
async function registerCandidates(
  connection: Connection,
  candidates: readonly Candidate[],
  context: RegistrationContext,
): Promise<void> {
  const { now, hideAlreadyExists } = context
  const byArrival = candidates.toSorted((a, b) => a.place - b.place)
  const ceilings = await checkMailCeilings(connection, byArrival.map(identityOf), context)
  ceilings.forEach((ceiling, index) => (byArrival[index]!.ceiling = ceiling))
  const within = candidates.filter(({ ceiling }) => !ceiling?.refusedBy)
  const enrolled = await enrol(connection, within.map(toSubscriber), now, signUpPage)
  const mails = mailsOfEnrolled(enrolled, within, context)
  if (enrolled.length < candidates.length || hideAlreadyExists) {
    await markAskedAgain(connection, candidates.filter(({ outcome }) => !outcome).map(identityOf))
    const known = within.filter(({ outcome }) => !outcome)
    const again = await enrolAgain(connection, known.map(toSubscriber), now, signUpPage)
    mails.push(...mailsOfEnrolled(again, known, context))
    const unmailed = candidates.filter(({ outcome }) => !outcome)
    const resent = await resendToKnown(connection, unmailed, context)
    mails.push(...resent)
    if (hideAlreadyExists)
      return enqueueWithDecoys(connection, mails, unmailed.length - resent.length, context)
  }
  await enqueueMails(connection, mails, context)
}

/** Sets the outcome of each enrolled candidate, and returns its mail. `candidates` are sorted by identity. */
function mailsOfEnrolled(
  enrolled: readonly { id: number; identity: string }[],
  candidates: readonly Candidate[],
  { now, resendAfterMs }: RegistrationContext,
): Mail[] {
  let next = 0
  return enrolled.toSorted(compareIdentities).map(({ id, identity }): Mail => {
    while (candidates[next]!.identity !== identity) next += 1
    const candidate = candidates[next]!
    const { lane, ceiling } = candidate
    const nextResendAt = Math.max(now + resendAfterMs, ceiling?.nextMailAt ?? 0)
    candidate.outcome = { kind: 'registered', subscriber: id, nextResendAt }
    return { subscriber: id, lane, dueAt: ceiling?.waitsUntil }
  })
}

/** Sets the outcome of each candidate that was on the list before or is refused. Returns the mails that are sent again. */
async function resendToKnown(
  connection: Connection,
  known: readonly Candidate[],
  context: RegistrationContext,
): Promise<Mail[]> {
  const { now, resendAfterMs } = context
  const byIdentity = new Map(known.map((one) => [one.identity, one]))
  const mayBeMailed = known.filter(
    ({ ceiling }) => ceiling?.refusedBy === undefined && ceiling?.waitsUntil === undefined,
  )
  const resent = await claimResends(connection, mayBeMailed.map(identityOf), now - resendAfterMs, now)
  const mails = resent.map(({ id, identity }): Mail => {
    const candidate = byIdentity.get(identity)!
    candidate.outcome = { kind: 'already-registered', subscriber: id, resentAt: now }
    return { subscriber: id, lane: candidate.lane }
  })
  const unmailed = known.filter(({ outcome }) => !outcome)
  await promote(
    connection,
    unmailed.map(({ identity, lane }) => ({ identity, lane })),
  )
  const active = await findActive(connection, unmailed.map(identityOf))
  const listed = new Map(active.map((row) => [row.identity, row]))
  for (const one of unmailed) one.outcome = unmailedOutcome(listed.get(one.identity), one.ceiling, context)
  return mails
}

/** The outcome of a sign-up that no mail follows. `listed`: undefined if the address is not on the list. */
function unmailedOutcome(
  listed: { id: number; last_mailed_at: number } | undefined,
  ceiling: MailCeiling | undefined,
  { now, resendAfterMs }: RegistrationContext,
): SignUpOutcome {
  const { refusedBy: by, nextMailAt = 0, waitsUntil } = ceiling ?? {}
  if (by && !listed) return refused(by, nextMailAt, now)
  // Another instance has erased the row, or taken it off the list, since it was found here. The transaction runs again.
  if (!listed) throw Object.assign(new Error('a subscriber left meanwhile'), { code: '40001' })
  const subscriber = listed.id
  const waitEndsAt = listed.last_mailed_at + resendAfterMs
  if (by || waitsUntil !== undefined)
    return { kind: 'already-registered', subscriber, nextResendAt: Math.max(waitEndsAt, nextMailAt) }
  // A resend was due but not claimed: the last mail is still on its way.
  const nextResendAt = waitEndsAt > now ? waitEndsAt : now + resendAfterMs
  return { kind: 'already-registered', subscriber, nextResendAt }
}

/** Writes the rows of as many decoys as there are sign-ups without a mail, and deletes them in the same transaction. */
async function enqueueWithDecoys(
  connection: Connection,
  mails: readonly Mail[],
  decoyCount: number,
  context: RegistrationContext,
): Promise<void> {
  const newcomers = Array.from({ length: decoyCount }, (): NewSubscriber => {
    const identity = `${randomUUID()}@decoy.invalid`
    return { identity, address: identity, abuse_key: null }
  })
  const decoys = await enrol(connection, newcomers, context.now, signUpPage)
  const decoyMails = decoys.map(({ id }): Mail => ({ subscriber: id, lane: 0 }))
  await enqueueMails(connection, [...mails, ...decoyMails], context)
  await deleteSubscribers(
    connection,
    decoys.map(({ id }) => id),
  )
}

interface Mail {
  subscriber: number
  lane: Lane
  dueAt?: number | undefined
}

async function enqueueMails(connection: Connection, mails: readonly Mail[], context: RegistrationContext) {
  for (const [dueAt, together] of Map.groupBy(mails, (mail) => mail.dueAt))
    for (const [lane, alike] of Map.groupBy(together, (mail) => mail.lane)) {
      const subscribers = alike.map(({ subscriber }) => subscriber)
      await enqueue(connection, subscribers, { ...context, lane, dueAt })
    }
}

function identityOf({ identity }: Candidate): string {
  return identity
}

function toSubscriber({ signUp: { identity, address, attribution } }: Candidate): NewSubscriber {
  const { form, campaign } = attribution ?? {}
  return { identity, address, abuse_key: abuseKeyColumn(identity), form, campaign }
}
