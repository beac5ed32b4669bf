import type { Connection } from '../database/json-rows.ts'
import { takeTurns } from '../database/take-turns.ts'
import type { Database } from '../database/open-database.ts'
import type { Log } from '../log.ts'
import { addToWindows, readWindow, returnToWindow } from '../sign-up/limit-windows.ts'
import { type ComposeStarterEmail, prepareStarterEmail } from '#mail/compose-starter-email.ts'
import type { Mailer } from '../transports/mailer.ts'
import type { SmtpFailure } from '../transports/smtp-failure.ts'
import type { Counts } from '../statistics/counts.ts'
import { findRecipients, markUndeliverable } from '../subscribers/subscribers.ts'
import { findTemplate } from './mail-templates.ts'
import {
  cancelClaimed,
  claimDue,
  type ClaimedDelivery,
  giveUp,
  handBack,
  isHeldAndWanted,
  markSent,
  nextDueAt,
  postpone,
} from './deliveries.ts'
import { nextWaitMs } from './retry-schedule.ts'

export interface DeliveryMeans {
  database: Database
  mailer: Mailer
  log: Log
  counts: Counts
  /** ms since 1970. */
  now: () => number
  /** 128 fresh random bits as text. */
  newToken: () => string
  /** Names this process in the leases. */
  worker: string
  leaseMs: number
  /** Waits between tries; after the last the delivery has failed. */
  retrySeconds: readonly number[]
  /** Infinity: no ceiling. */
  siteMailsPerHour: number
}

export interface DueMail extends ClaimedDelivery {
  address: string
  token: string
  claimedAt: number
}

const hourMs = 60 * 60_000
const siteWindow = 'site'
/** A claimed mail that waited longer is checked once more: its subscriber may have left, or another worker taken it over. */
const freshMs = 100

/** Claims up to `most` mails. `nothingBefore`: when it pays to ask again, if fewer than asked were due. */
export async function claimDueMail(means: DeliveryMeans, most: number) {
  const { database, now, worker, leaseMs, siteMailsPerHour } = means
  const at = now()
  return database.query.transaction().execute(async (transaction) => {
    const limited = siteMailsPerHour !== Infinity
    if (limited) await takeTurns(transaction, 'site ceiling', [siteWindow])
    const window = limited ? await readWindow(transaction, siteWindow, at) : undefined
    const limit = Math.min(most, siteMailsPerHour - (window?.used ?? 0))
    if (limit <= 0) return { due: [], nothingBefore: window?.endsAt, isCeilingReached: true }

    const claimed = await claimDue(transaction, { worker, limit, leaseUntil: at + leaseMs, now: at })
    if (claimed.length === 0) return { due: [], nothingBefore: await nextDueAt(transaction) }
    const due = await withRecipients(transaction, claimed, means)
    if (limited) await addToWindows(transaction, [{ name: siteWindow, amount: due.length }], hourMs, at)
    const stillWanted = new Set(due.map(({ id }) => id))
    const left = claimed.map(({ id }) => id).filter((id) => !stillWanted.has(id))
    if (left.length > 0) await cancelClaimed(transaction, left, worker, at)
    return { due, nothingBefore: claimed.length < limit ? await nextDueAt(transaction) : at }
  })
}

/** Who is missing in the result was erased, has unsubscribed or is undeliverable since, and is not mailed. */
async function withRecipients(
  connection: Connection,
  claimed: readonly ClaimedDelivery[],
  means: DeliveryMeans,
) {
  const ids = claimed.map(({ subscriber }) => subscriber)
  const found = await findRecipients(connection, ids, means.newToken)
  const recipients = new Map(found.map((one) => [one.id, one]))
  return claimed.flatMap((one): DueMail[] => {
    const { address, token } = recipients.get(one.subscriber) ?? {}
    return address && token ? [{ ...one, address, token, claimedAt: means.now() }] : []
  })
}

/** What became of one try to send a mail. */
export type Outcome = { mail: DueMail } & (
  | { kind: 'sent'; ms: number }
  | { kind: 'postponed'; why: string; dueAt: number; isRelayAway: boolean }
  | { kind: 'failed'; why: string; isRelayAway: boolean }
  | { kind: 'cancelled' }
)

/** Composes and sends. The outcome is not stored yet. */
export async function send(means: DeliveryMeans, mail: DueMail): Promise<Outcome> {
  const { database, mailer, now, worker } = means
  const isStillOurs =
    now() - mail.claimedAt < freshMs || (await isHeldAndWanted(database.query, mail.id, worker))
  if (!isStillOurs) return { mail, kind: 'cancelled' }
  const compose = await composerOf(means, mail.template)
  const startedAt = now()
  const sending = await mailer.send(
    compose({
      address: mail.address,
      token: mail.token,
      messageId: mail.message_id,
      date: new Date(mail.queued_at),
    }),
  )
  switch (sending.kind) {
    case 'accepted':
      return { mail, kind: 'sent', ms: now() - startedAt }
    case 'temporary':
      return afterTemporaryFailure(means, mail, sending)
    case 'permanent':
      return { mail, kind: 'failed', why: sending.why, isRelayAway: false }
    default:
      return sending satisfies never
  }
}

function afterTemporaryFailure(
  { retrySeconds, now }: DeliveryMeans,
  mail: DueMail,
  { why, isRelayAway }: SmtpFailure,
): Outcome {
  const waitMs = nextWaitMs(retrySeconds, mail.failures + 1)
  const what = { mail, why, isRelayAway: isRelayAway === true }
  return waitMs === undefined
    ? { ...what, kind: 'failed' }
    : { ...what, kind: 'postponed', dueAt: now() + waitMs }
}

/** Stores outcomes in one transaction. It does nothing to a delivery that another worker has claimed since. */
export async function record(means: DeliveryMeans, outcomes: readonly Outcome[]): Promise<void> {
  const { database, worker, now } = means
  const idsOf = (kind: Outcome['kind']) =>
    outcomes.filter((one) => one.kind === kind).map((one) => one.mail.id)
  const [sent, cancelled] = [idsOf('sent'), idsOf('cancelled')]
  await database.query.transaction().execute(async (transaction) => {
    if (sent.length > 0) await markSent(transaction, sent, worker, now())
    if (cancelled.length > 0) await cancelClaimed(transaction, cancelled, worker, now())
    for (const one of outcomes.toSorted((a, b) => a.mail.id - b.mail.id)) {
      if (one.kind === 'postponed') await postpone(transaction, one.mail.id, worker, one.dueAt, one.why)
      if (one.kind !== 'failed') continue
      await giveUp(transaction, one.mail.id, worker, now(), one.why)
      await markUndeliverable(transaction, one.mail.subscriber)
    }
    await returnToCeiling(transaction, means, outcomes.length - sent.length)
  })
  for (const outcome of outcomes) note(means, outcome)
}

/** Gives mails back untried, so that another worker may have them at once. */
export async function handBackMail(means: DeliveryMeans, mails: readonly DueMail[]): Promise<void> {
  const { database, worker, now } = means
  const ids = mails.map(({ id }) => id)
  await database.query.transaction().execute(async (transaction) => {
    await handBack(transaction, ids, worker, now())
    await returnToCeiling(transaction, means, ids.length)
  })
}

/** The hour's ceiling is of mails, not of tries: a relay that was down for an hour has not used it up. */
async function returnToCeiling(
  connection: Connection,
  { siteMailsPerHour, now }: DeliveryMeans,
  amount: number,
) {
  if (siteMailsPerHour === Infinity || amount === 0) return
  await returnToWindow(connection, { name: siteWindow, amount }, now())
}

function note({ log, counts }: DeliveryMeans, outcome: Outcome): void {
  const { mail, kind } = outcome
  if (kind === 'cancelled') return
  const facts = { delivery: mail.id, subscriber: log.who(mail.address) }
  counts.countDelivery(kind, kind === 'sent' ? outcome.ms : undefined)
  if (kind === 'sent') log.info('delivery sent', { ...facts, ms: outcome.ms })
  else if (kind === 'failed') log.warn('delivery failed', { ...facts, why: outcome.why })
  else
    log.warn('delivery postponed', {
      ...facts,
      why: outcome.why,
      until: new Date(outcome.dueAt).toISOString(),
    })
}

const composers = new Map<string, Promise<ComposeStarterEmail>>()

/** Each template is prepared once. */
function composerOf({ database }: DeliveryMeans, hash: string): Promise<ComposeStarterEmail> {
  const known = composers.get(hash) ?? findTemplate(database.query, hash).then(prepareStarterEmail)
  composers.set(hash, known)
  known.catch(() => composers.delete(hash))
  return known
}
