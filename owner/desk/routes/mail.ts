import type { Connection } from '#server/database/database.ts'
import { type MailTrouble, readBacklog } from '#server/deliveries/backlog.ts'
import { type ListedDelivery, longestWaiting, newestDeliveries } from '../../deliveries/list-deliveries.ts'
import {
  countWaitingByFault,
  countWaitingByFiveMinutes,
  readDeliveryFigures,
  readLastSent,
} from '../../deliveries/delivery-figures.ts'
import { explainReason } from '../../deliveries/reasons.ts'
import { findRetryable, makeDueNow, retryFailed } from '../../deliveries/retry-deliveries.ts'
import { route } from '../call.ts'
import { number, numbers, oneOf, optional } from '../fields.ts'

const groups = ['waiting', 'failed', 'sent'] as const
export type MailGroup = (typeof groups)[number]

const pageRows = 50
const waitingRows = 200

export const mailRoutes = {
  'GET mail': route({
    for: 'owner',
    async answer({ database: { query }, now }) {
      const at = now()
      const [{ waiting, failed, nextTryAt }, lastSentAt, backlog, reasons] = await Promise.all([
        readDeliveryFigures(query, at),
        readLastSent(query),
        readBacklog(query, at),
        countWaitingByFault(query),
      ])
      return {
        at,
        trouble: describeTrouble(backlog.trouble),
        nextTryAt,
        lastSentAt,
        counts: { waiting, failed },
        /** Null before the first try. */
        reasons: reasons.map(({ fault, ...one }) => ({ ...one, reason: reasonOf(fault) })),
        waitingByFiveMinutes: await countWaitingByFiveMinutes(query, waiting, at),
      }
    },
  }),
  /** Lists waiting mail oldest first, up to 200, and other mail newest first. `below`: the number of the last one shown. */
  'GET mail/list': route({
    for: 'owner',
    sent: { state: oneOf(groups), below: optional(number) },
    async answer({ database: { query } }, { state, below }) {
      const limit = state === 'waiting' ? waitingRows : pageRows
      const rows =
        state === 'waiting'
          ? await longestWaiting(query, limit + 1)
          : await newestDeliveries(query, { state }, limit + 1, below)
      return { mails: await describeMails(query, rows.slice(0, limit)), hasMore: rows.length > limit }
    },
  }),
  /** Sends waiting or failed mails now. `retried` leaves out those that can no longer be retried. */
  'POST mail/retry': route({
    for: 'owner',
    act: 'mail-retried',
    sent: { ids: numbers },
    async answer({ database, now, wakeDeliveries }, { ids }) {
      const retried: number[] = []
      for (const id of ids) {
        const isQueued = (await retryFailed(database, now(), id)).length > 0
        if (isQueued || (await makeDueNow(database.query, id, now()))) retried.push(id)
      }
      wakeDeliveries()
      return { retried }
    },
  }),
}

function reasonOf(fault: string | null, isFinal = false) {
  return fault === null ? null : explainReason(fault, isFinal)
}

/** `stuck`: none goes out. `late`: less goes out than is queued. */
export function describeTrouble(trouble: MailTrouble | undefined) {
  return trouble ? { kind: trouble.kind, since: trouble.since, reason: explainReason(trouble.why) } : null
}

export async function describeMails(connection: Connection, rows: readonly ListedDelivery[]) {
  const failed = rows.filter(({ state }) => state === 'failed').map(({ id }) => id)
  const retryable = await findRetryable(connection, failed)
  return rows.map((row) => ({
    id: row.id,
    personId: row.subscriber,
    address: row.address,
    /** `sign-up`, or the version that it announces. */
    kind: row.announced ?? 'sign-up',
    state: row.state,
    queuedAt: row.queued_at,
    finishedAt: row.finished_at,
    /** Failed ones. */
    tries: row.failures,
    reason: reasonOf(row.last_fault, row.state === 'failed'),
    canRetry: row.state === 'queued' || retryable.has(row.id),
  }))
}
