import { inTransaction } from '#server/database/database.ts'
import { type Outcome, postpone } from '#server/deliveries/claims.ts'
import { type WorkerDeps, type WorkQueue, Worker } from '#server/deliveries/worker.ts'
import type { ExtensionContext, RunningExtension } from '#server/start/extension.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import { type Endpoint, postEvent } from './post-event.ts'
import {
  type ClaimedEvent,
  claimEvents,
  composeBody,
  dropOldEvents,
  eventTable,
  isGone,
  recordGone,
} from './webhook-events.ts'

interface SendDeps extends Omit<WorkerDeps, 'concurrency'> {
  endpoint: Endpoint
  /** Waits between tries; after the last the event has failed. */
  retrySeconds: readonly number[]
}

const concurrency = 4
const pollMs = 1_000
const longestRestMs = 60 * 60_000

/** Sends what the triggers have written, from every instance. */
export function startSending(context: ExtensionContext, endpoint: Endpoint): RunningExtension {
  const { retrySeconds } = context.config
  const deps = { ...context, endpoint, retrySeconds, worker: newToken() }
  const worker = new Worker(eventQueue(deps), { ...deps, concurrency })
  return {
    maintain: () => dropOldEvents(context.database.query, context.now()),
    stop: (graceMs) => worker.stop(graceMs),
  }
}

/** The events that are due. */
export function eventQueue(deps: SendDeps): WorkQueue<ClaimedEvent> {
  const { endpoint, log, worker, now } = deps
  const { query } = deps.database
  return {
    name: 'webhook events',
    table: eventTable,
    async claim(most) {
      const at = now()
      const claims = (await isGone(query, endpoint.url))
        ? []
        : await claimEvents(query, most, { worker, now: at })
      return { claims, nextClaimAt: claims.length < most ? at + pollMs : at }
    },
    attempt: (event) => sendEvent(deps, event),
    async record(outcomes) {
      const lease = { worker, now: now() }
      await inTransaction(query, (transaction) => eventTable.record(transaction, outcomes, lease))
      for (const { claim, ...outcome } of outcomes) {
        const facts = { id: claim.id, type: claim.type }
        if ('why' in outcome) log.warn('webhook not delivered', { ...facts, why: outcome.why })
        else if (outcome.kind === 'sent') log.info('webhook delivered', facts)
      }
    },
  }
}

async function sendEvent(
  { database, endpoint, retrySeconds, worker, now }: SendDeps,
  claim: ClaimedEvent,
): Promise<Outcome<ClaimedEvent>> {
  const startedAt = now()
  const body = await composeBody(database.query, claim, worker)
  if (body === undefined) return { claim, kind: 'cancelled' }
  const { kind, why, retryAfterMs } = await postEvent(endpoint, { id: claim.message_id, body }, startedAt)
  switch (kind) {
    case 'delivered':
      return { claim, kind: 'sent', ms: now() - startedAt }
    case 'gone':
      await recordGone(database.query, endpoint.url)
      return { claim, kind: 'released', why, isAway: true, retryAfterMs: 0 }
    case 'not-delivered': {
      const fault = { claim, why, isAway: true, retryAfterMs }
      const restMs = Math.min(retryAfterMs, longestRestMs)
      return { ...postpone(fault, retrySeconds[claim.failures], now()), retryAfterMs: restMs }
    }
    default:
      return kind satisfies never
  }
}
