import { announcementLane } from './lanes.ts'
import type { Log } from '../log.ts'
import type { Counts } from '../statistics/counts.ts'
import type { Mailer } from '../transports/mailer.ts'
import { postpone } from './claims.ts'
import {
  type ClaimDeps,
  type ClaimedMail,
  claimMail,
  deliveryTable,
  isStillWanted,
  type MailOutcome,
  newClaimFloor,
  record,
} from './deliveries.ts'
import { composerOf } from './mail-templates.ts'
import type { WorkQueue } from './worker.ts'

export interface DeliveryDeps extends ClaimDeps {
  mailer: Mailer
  /** Waits between tries; after the last the delivery has failed. */
  retrySeconds: readonly number[]
  log: Log
  counts: Counts
}

/** Connects the worker to the deliveries: how they are claimed, checked, sent and recorded. */
export function mailQueue(deps: DeliveryDeps): WorkQueue<ClaimedMail> {
  const { counts } = deps
  const floor = newClaimFloor()
  let ceilingUntil = 0
  return {
    name: 'deliveries',
    table: deliveryTable,
    async claim(most, maxAboveLane0) {
      const { mails: claims, ...rest } = await claimMail(deps, most, maxAboveLane0, floor)
      if (rest.isCeilingReached) {
        if (ceilingUntil < rest.nextClaimAt) counts.countLimit('site')
        ceilingUntil = rest.nextClaimAt
      }
      return { claims, ...rest }
    },
    isStillWanted: (mail) => isStillWanted(deps, mail),
    attempt: (mail) => send(deps, mail),
    async record(outcomes) {
      try {
        await record(deps, outcomes)
      } catch (cause) {
        counts.countRecordFailure()
        throw cause
      }
      for (const outcome of outcomes) report(deps, outcome)
    },
  }
}

/** Composes and sends one mail. Recording the outcome is left to `record`. */
export async function send(deps: DeliveryDeps, claim: ClaimedMail): Promise<MailOutcome> {
  const { database, mailer, now, retrySeconds } = deps
  const compose = await composerOf(database.query, claim.template)
  const { address, token, message_id: messageId, queued_at: queuedAt } = claim
  const startedAt = now()
  const sending = await mailer.send(compose({ address, token, messageId, date: new Date(queuedAt) }))
  switch (sending.kind) {
    case 'accepted':
      return { claim, kind: 'sent', ms: now() - startedAt }
    case 'permanent':
      return { claim, kind: 'failed', why: sending.why, isAway: false, retryAfterMs: 0 }
    case 'temporary': {
      const { why, isRelayAway: isAway, isAboutUs, retryAfterMs = 0 } = sending
      const waitSeconds = retrySeconds[claim.failures] ?? (isAboutUs && retrySeconds.at(-1))
      return postpone({ claim, why, isAway, retryAfterMs }, waitSeconds, now())
    }
    default:
      return sending satisfies never
  }
}

function report({ log, counts }: DeliveryDeps, outcome: MailOutcome): void {
  const { claim, kind } = outcome
  if (kind === 'cancelled' || kind === 'released') return
  const facts = { delivery: claim.id, subscriber: log.who(claim.address) }
  // Announcements are left out: the day's counts are about sign-ups.
  if (claim.lane !== announcementLane) counts.countDelivery(kind, kind === 'sent' ? outcome.ms : undefined)
  switch (kind) {
    case 'sent':
      return log.info('delivery sent', { ...facts, ms: outcome.ms })
    case 'failed':
      return log.warn('delivery failed', { ...facts, why: outcome.why })
    case 'postponed': {
      const until = new Date(outcome.dueAt).toISOString()
      return log.warn('delivery postponed', { ...facts, why: outcome.why, until })
    }
    default:
      return kind satisfies never
  }
}
