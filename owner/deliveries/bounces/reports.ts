import { parseEmailAddress } from '#contract/email-address.ts'
import type { Bounce } from './mark-bounced.ts'

/** What a provider reports: addresses that must get no more mail, and those where mail arrived. Of other events nothing. */
export interface Report {
  bounces: Bounce[]
  arrived: string[]
}

const nothing: Report = { bounces: [], arrived: [] }

/** Bounce types after which no mail must be sent (postmarkapp.com/developer/api/bounce-api, bounce types). */
const permanentTypes = new Set(['HardBounce', 'BadEmailAddress', 'SpamComplaint', 'ManuallyDeactivated'])

/** Reads what Postmark's webhooks for bounces, spam complaints and deliveries post (postmarkapp.com/developer/webhooks). Undefined: it is none. */
export function readPostmarkReport(report: unknown): Report | undefined {
  const recordType = valueAt(report, 'RecordType')
  if (typeof recordType !== 'string') return undefined
  if (recordType === 'Delivery') return { ...nothing, arrived: identitiesOf(valueAt(report, 'Recipient')) }
  if (recordType !== 'Bounce' && recordType !== 'SpamComplaint') return nothing
  const [type, email] = [valueAt(report, 'Type'), valueAt(report, 'Email')]
  if (typeof type !== 'string' || typeof email !== 'string') return undefined
  if (!permanentTypes.has(type)) return nothing
  return bouncesAt(email, valueAt(report, 'BouncedAt'), type === 'SpamComplaint')
}

/** Reads Resend's events (resend.com/docs/webhooks/event-types, read on 22 November 2026). Undefined: it is none. */
export function readResendReport(event: unknown): Report | undefined {
  const type = valueAt(event, 'type')
  if (typeof type !== 'string') return undefined
  const [recipients, time] = [valueAt(event, 'data', 'to'), valueAt(event, 'created_at')]
  if (type === 'email.delivered') return { ...nothing, arrived: identitiesOf(recipients) }
  if (type === 'email.complained') return bouncesAt(recipients, time, true)
  // "permanently rejected", unless the event itself says otherwise.
  const bounceType = valueAt(event, 'data', 'bounce', 'type') ?? 'Permanent'
  if (type === 'email.bounced' && bounceType === 'Permanent') return bouncesAt(recipients, time)
  return nothing
}

/** Reads a nested value of parsed JSON by its names. Returns undefined if there is none. */
function valueAt(value: unknown, ...names: string[]): unknown {
  return names.reduce((one, name) => (one instanceof Object ? Reflect.get(one, name) : undefined), value)
}

function bouncesAt(recipients: unknown, time: unknown, isComplaint = false): Report {
  const at = typeof time === 'string' ? Date.parse(time) : NaN
  const bouncedAt = Number.isNaN(at) ? undefined : at
  const bounces = identitiesOf(recipients).map((identity) => ({ identity, bouncedAt, isComplaint }))
  return { ...nothing, bounces }
}

/** An invalid address cannot be on the list. */
function identitiesOf(recipients: unknown): string[] {
  return [recipients]
    .flat()
    .flatMap((one) => (typeof one === 'string' ? (parseEmailAddress(one)?.identity ?? []) : []))
}
