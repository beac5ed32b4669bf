import type { Connection } from '../database/json-rows.ts'
import { takeTurns } from '../database/take-turns.ts'
import type { Database } from '../database/open-database.ts'
import type { Log } from '../log.ts'
import { addToWindows, readWindow } from '../limits/limit-windows.ts'
import { composeStarterEmail, type StarterEmailTemplate } from '../mail/compose-starter-email.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Metrics } from '../metrics.ts'
import { findRecipients, markUndeliverable } from '../subscribers/subscribers.ts'
import { findTemplate } from './mail-templates.ts'
import { cancelClaimed, claimDue, type ClaimedDelivery, giveUp, nextDueAt, postpone } from './outbox.ts'
import { nextWaitMs } from './retry-schedule.ts'

export interface DeliveryMeans {
  database: Database
  mailer: Mailer
  log: Log
  metrics: Metrics
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
  /** Stores that a delivery was sent; grouped with others that end at the same moment. */
  recordSent: (id: number) => Promise<unknown>
}

export interface DueMail extends ClaimedDelivery {
  address: string
  token: string
  claimedAt: number
}

const hourMs = 60 * 60_000
const siteWindow = 'site'
/** A claimed mail that waited longer is checked once more: its subscriber may have left meanwhile. */
const freshMs = 1_000

/** Claims up to `most` mails. `nothingBefore`: when it pays to ask again, if fewer than asked were due. */
export async function claimDueMail(means: DeliveryMeans, most: number) {
  const { database, now, worker, leaseMs, siteMailsPerHour } = means
  const at = now()
  return database.query.transaction().execute(async (transaction) => {
    const limited = siteMailsPerHour !== Infinity
    if (limited) await takeTurns(transaction, 'site ceiling', [siteWindow])
    const window = limited ? await readWindow(transaction, siteWindow, at) : undefined
    const limit = Math.min(most, siteMailsPerHour - (window?.used ?? 0))
    if (limit <= 0) return { due: [], nothingBefore: window?.endsAt }

    const claimed = await claimDue(transaction, { worker, limit, leaseUntil: at + leaseMs, now: at })
    if (claimed.length === 0) return { due: [], nothingBefore: await nextDueAt(transaction) }
    if (limited) await addToWindows(transaction, [{ name: siteWindow, amount: claimed.length }], hourMs, at)
    const due = await withRecipients(transaction, claimed, means)
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

/** Composes, sends, records. Expected failures are recorded, not thrown; throws when the database cannot record. */
export async function deliver(means: DeliveryMeans, mail: DueMail): Promise<void> {
  const { database, mailer, now, worker } = means
  const isStillWanted =
    now() - mail.claimedAt < freshMs || (await withRecipients(database.query, [mail], means)).length > 0
  if (!isStillWanted) return cancelClaimed(database.query, [mail.id], worker, now())
  const template = await loadTemplate(means, mail.template)
  const startedAt = now()
  const sending = await mailer.send(
    composeStarterEmail(template, {
      address: mail.address,
      token: mail.token,
      messageId: mail.message_id,
      date: new Date(mail.queued_at),
    }),
  )
  switch (sending.kind) {
    case 'accepted':
      await means.recordSent(mail.id)
      return note(means, mail, 'sent', { ms: now() - startedAt })
    case 'temporary':
      return tryLater(means, mail, sending.why)
    case 'permanent':
      return fail(means, mail, sending.why)
    default:
      return sending satisfies never
  }
}

async function tryLater(means: DeliveryMeans, mail: DueMail, why: string): Promise<void> {
  const waitMs = nextWaitMs(means.retrySeconds, mail.failures + 1)
  if (waitMs === undefined) return fail(means, mail, why)
  await postpone(means.database.query, mail.id, means.worker, means.now() + waitMs, why)
  note(means, mail, 'postponed', { why, nextTryInSeconds: waitMs / 1000 })
}

async function fail(means: DeliveryMeans, mail: DueMail, why: string): Promise<void> {
  await means.database.query.transaction().execute(async (transaction) => {
    await giveUp(transaction, mail.id, means.worker, means.now(), why)
    await markUndeliverable(transaction, mail.subscriber)
  })
  note(means, mail, 'failed', { why })
}

function note(
  { log, metrics }: DeliveryMeans,
  mail: DueMail,
  outcome: 'sent' | 'postponed' | 'failed',
  more: { ms?: number; why?: string; nextTryInSeconds?: number },
): void {
  metrics.countDelivery(outcome, more.ms)
  const write = outcome === 'sent' ? log.info : log.warn
  write(`delivery ${outcome}`, { delivery: mail.id, subscriber: log.who(mail.address), ...more })
}

const templates = new Map<string, Promise<StarterEmailTemplate>>()

/** One object per template, so that its pieces are prepared once. */
function loadTemplate({ database }: DeliveryMeans, hash: string): Promise<StarterEmailTemplate> {
  const known = templates.get(hash) ?? findTemplate(database.query, hash)
  templates.set(hash, known)
  known.catch(() => templates.delete(hash))
  return known
}
