import { setTimeout as sleep } from 'node:timers/promises'
import type { ExtensionContext, RunningExtension } from '#server/start/extension.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import { type Endpoint, postEvent, postLeaseMs, type PostOutcome } from './post-event.ts'
import {
  type ClaimedEvent,
  claimEvents,
  composeBody,
  dropOldEvents,
  isGone,
  noteGone,
  settleEvent,
} from './webhook-events.ts'

export interface SendDeps extends Pick<ExtensionContext, 'database' | 'log' | 'now'> {
  endpoint: Endpoint
  /** Waits between tries; after the last the event has failed. */
  retrySeconds: readonly number[]
  /** Names this process in the leases. */
  worker: string
}

const concurrency = 4
const pollMs = 1_000
const longestPauseMs = 60 * 60_000

/** Sends what the triggers have written, from every instance. */
export function startSending(context: ExtensionContext, endpoint: Endpoint): RunningExtension {
  const deps = { ...context, endpoint, retrySeconds: context.config.retrySeconds, worker: newToken() }
  const stopping = new AbortController()
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pauseMs = await sendDueEvents(deps).catch((cause: unknown) => {
        context.log.warn('cannot send webhook events, trying again later', { cause })
        return pollMs
      })
      const options = { ref: false, signal: stopping.signal }
      await sleep(pauseMs, undefined, options).catch(() => {}) // stopped
    }
  }
  const running = run()
  return {
    maintain: () => dropOldEvents(context.database.query, context.now()),
    async stop(graceMs) {
      stopping.abort()
      await Promise.race([running, sleep(graceMs, undefined, { ref: false })])
    },
  }
}

/** One round. Resolves to how long the receiver is to be left alone, in ms. */
export async function sendDueEvents(deps: SendDeps): Promise<number> {
  const { database, endpoint, worker, now } = deps
  if (await isGone(database.query, endpoint.url)) return pollMs
  const at = now()
  const claim = { worker, limit: concurrency, now: at, leaseUntil: at + postLeaseMs }
  const events = await claimEvents(database.query, claim)
  const outcomes = await Promise.all(events.map((event) => sendEvent(deps, event)))
  const pauses = outcomes.map((one) => (one.kind === 'not-delivered' ? one.retryAfterMs : 0))
  const isAnswering = outcomes.some(({ kind }) => kind === 'delivered')
  return Math.min(Math.max(isAnswering ? 0 : pollMs, ...pauses), longestPauseMs)
}

async function sendEvent(deps: SendDeps, event: ClaimedEvent): Promise<PostOutcome> {
  const { database, endpoint, log, worker, now } = deps
  const { id, type, message_id } = event
  const body = await composeBody(database.query, event)
  const outcome = await postEvent(endpoint, { id: message_id, body }, now())
  if (outcome.kind === 'gone') await noteGone(database.query, endpoint.url)
  await settleEvent(database.query, id, worker, settlementOf(outcome, event, deps))
  if (outcome.kind === 'delivered') log.info('webhook delivered', { id, type })
  else log.warn('webhook not delivered', { id, type, why: outcome.why })
  return outcome
}

function settlementOf(outcome: PostOutcome, { failures }: ClaimedEvent, { retrySeconds, now }: SendDeps) {
  switch (outcome.kind) {
    case 'delivered':
      return { state: 'delivered', finished_at: now(), last_fault: null } as const
    case 'gone':
      return { due_at: now(), last_fault: outcome.why }
    case 'not-delivered': {
      const { why: last_fault, retryAfterMs } = outcome
      const waitSeconds = retrySeconds[failures]
      if (waitSeconds === undefined) return { state: 'failed', finished_at: now(), last_fault } as const
      const due_at = now() + Math.max(waitSeconds * 1000, retryAfterMs)
      return { due_at, last_fault, failures: failures + 1 }
    }
    default:
      return outcome satisfies never
  }
}
