import type { Connection } from '#server/database/database.ts'
import { type MailTrouble, readBacklog } from '#server/deliveries/backlog.ts'
import { parkedUntil } from '#server/deliveries/lanes.ts'
import { type ListedDelivery, longestWaiting, newestDeliveries } from '../../deliveries/list-deliveries.ts'
import {
  countWaitingByFault,
  countWaitingByFiveMinutes,
  readDeliveryFigures,
} from '../../deliveries/delivery-figures.ts'
import { explainReason } from '../../deliveries/reasons.ts'
import { findRetryable, makeDueNow, retryFailed } from '../../deliveries/retry-deliveries.ts'
import type { Routes } from '../call.ts'
import type { Mail, MailTroubleNow } from '../contract.ts'

const pageRows = 50
const waitingRows = 200

export const mailRoutes = {
  'GET mail': {
    for: 'owner',
    async answer({ database: { query }, now }) {
      const at = now()
      const { waiting, sent, failed, lastSentAt, nextTryAt } = await readDeliveryFigures(query, at)
      return {
        at,
        trouble: describeTrouble((await readBacklog(query, at)).trouble),
        lastSentAt,
        nextTryAt,
        counts: { waiting, failed, sent },
        reasons: (await countWaitingByFault(query)).map(({ fault, count, oneId }) => ({
          reason: fault === null ? null : explainReason(fault),
          count,
          oneId,
        })),
        waitingByFiveMinutes: await countWaitingByFiveMinutes(query, waiting, at),
      }
    },
  },
  'GET mail/list': {
    for: 'owner',
    async answer({ database: { query }, fields }) {
      const group = fields.oneOf('state', ['waiting', 'failed', 'sent'])
      const below = fields.optional('below', fields.number)
      const limit = group === 'waiting' ? waitingRows : pageRows
      const rows =
        group === 'waiting'
          ? await longestWaiting(query, limit + 1)
          : await newestDeliveries(query, { state: group }, limit + 1, below)
      return { mails: await describeMails(query, rows.slice(0, limit)), hasMore: rows.length > limit }
    },
  },
  'POST mail/retry': {
    for: 'owner',
    act: 'mail-retried',
    async answer({ database, now, fields, wakeDeliveries }) {
      const retried: number[] = []
      for (const id of fields.numbers('ids')) {
        const isQueued = (await retryFailed(database, now(), id)).length > 0
        if (isQueued || (await makeDueNow(database.query, id, now()))) retried.push(id)
      }
      wakeDeliveries()
      return { retried }
    },
  },
} satisfies Partial<Routes>

export function describeTrouble(trouble: MailTrouble | undefined): MailTroubleNow | null {
  return trouble ? { kind: trouble.kind, since: trouble.since, reason: explainReason(trouble.why) } : null
}

export async function describeMails(
  connection: Connection,
  rows: readonly ListedDelivery[],
): Promise<Mail[]> {
  const failed = rows.filter(({ state }) => state === 'failed').map(({ id }) => id)
  const retryable = await findRetryable(connection, failed)
  return rows.map((row) => ({
    id: row.id,
    personId: row.subscriber,
    address: row.address,
    kind: row.announced ?? 'sign-up',
    state: row.state,
    queuedAt: row.queued_at,
    dueAt: row.state === 'queued' && row.due_at < parkedUntil ? row.due_at : null,
    finishedAt: row.finished_at,
    tries: row.failures,
    reason: row.last_fault === null ? null : explainReason(row.last_fault, row.state === 'failed'),
    canRetry: row.state === 'queued' || retryable.has(row.id),
  }))
}
