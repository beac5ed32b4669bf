import { randomUUID } from 'node:crypto'
import type { Connection } from '../database/json-rows.ts'
import { enqueue, type OwedDelivery } from '../deliveries/deliveries.ts'
import { claimResends, enrol, isActive, type NewSubscriber } from '../subscribers/subscribers.ts'
import { abuseKey } from './abuse-key.ts'
import { refusedNetworks, type SignUpLimits, splitByAddressCeiling } from './sign-up-limits.ts'

export interface SignUp {
  address: string
  identity: string
  /** Keyed hash of the network address it came from. */
  network: string
}

export type Registration =
  | { kind: 'registered' }
  | { kind: 'already-registered' }
  | { kind: 'refused'; by: 'network' | 'address'; retryAfterSeconds: number }

export interface RegistrationMeans extends SignUpLimits {
  /** ms since 1970. */
  now: number
  resendAfterMs: number
  /** The domain on the right of the Message-IDs. */
  messageIdDomain: string
  /** Hash of the template the mails are written from. */
  template: string
}

const already: Registration = { kind: 'already-registered' }

/**
 * Registers a group of sign-ups: each new one is a subscriber row and a delivery row, in the caller's transaction. One
 * outcome per sign-up, in order. Of equal ones the first counts; the others find it there.
 */
export async function registerSignUps(
  connection: Connection,
  signUps: readonly SignUp[],
  means: RegistrationMeans,
): Promise<Registration[]> {
  const networks = await refusedNetworks(connection, signUps, means)
  const outcomes = signUps.map((signUp) => networks.refuse(signUp.network))
  const firsts = new Map<string, number>()
  signUps.forEach(({ identity }, index) => {
    if (!outcomes[index] && !firsts.has(identity)) firsts.set(identity, index)
  })
  const registered = await registerFirsts(
    connection,
    [...firsts.values()].map((index) => signUps[index]!),
    means,
  )
  return signUps.map(({ identity }, index) => {
    const first = registered.get(identity)
    if (outcomes[index]) return outcomes[index]
    return first && (firsts.get(identity) === index || first.kind === 'refused') ? first : already
  })
}

/** The outcomes of sign-ups that differ from each other; who is missing was on the list before. */
async function registerFirsts(connection: Connection, signUps: readonly SignUp[], means: RegistrationMeans) {
  const outcomes = new Map<string, Registration>()
  const { within, above } = await splitByAddressCeiling(connection, signUps, means)
  const enrolled = await enrol(connection, within.map(toSubscriber), means.now)
  for (const { identity } of enrolled) outcomes.set(identity, { kind: 'registered' })

  const known = within.filter(({ identity }) => !outcomes.has(identity)).map(({ identity }) => identity)
  const again =
    known.length > 0 ? await claimResends(connection, known, means.now - means.resendAfterMs, means.now) : []
  const owed = [...enrolled, ...again].map(({ id }) => toDelivery(id, means))
  if (owed.length > 0) await enqueue(connection, owed, means.template, means.now)

  for (const { signUp, retryAfterSeconds } of above) {
    const isKnown = await isActive(connection, signUp.identity)
    outcomes.set(signUp.identity, isKnown ? already : { kind: 'refused', by: 'address', retryAfterSeconds })
  }
  return outcomes
}

function toSubscriber({ identity, address }: SignUp): NewSubscriber {
  const key = abuseKey(identity)
  return { identity, address, abuse_key: key === identity ? null : key }
}

function toDelivery(subscriber: number, { messageIdDomain }: RegistrationMeans): OwedDelivery {
  return { subscriber, message_id: `<${randomUUID()}@${messageIdDomain}>` }
}
