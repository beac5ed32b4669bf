import { parseEmailAddress } from '#contract/email-address.ts'
import type { Bounce } from './mark-bounced.ts'

/** A report of a provider: an address must get no more mail, mail arrived, or another event. `malformed`: not its format. */
export type Report =
  | { kind: 'bounces'; bounces: Bounce[] }
  | { kind: 'arrived'; identities: string[] }
  | { kind: 'other' }
  | { kind: 'malformed' }

/** Bounce types after which no mail must be sent (postmarkapp.com/developer/api/bounce-api, bounce types). */
const permanentTypes = new Set(['HardBounce', 'BadEmailAddress', 'SpamComplaint', 'ManuallyDeactivated'])

/** Reads what Postmark's webhooks for bounces, spam complaints and deliveries post (postmarkapp.com/developer/webhooks). */
export function readPostmarkReport(report: unknown): Report {
  const recordType = valueAt(report, 'RecordType')
  if (typeof recordType !== 'string') return { kind: 'malformed' }
  if (recordType === 'Delivery') return arrivedAt(valueAt(report, 'Recipient'))
  if (recordType !== 'Bounce' && recordType !== 'SpamComplaint') return { kind: 'other' }
  const [type, email] = [valueAt(report, 'Type'), valueAt(report, 'Email')]
  if (typeof type !== 'string' || typeof email !== 'string') return { kind: 'malformed' }
  if (!permanentTypes.has(type)) return { kind: 'other' }
  return bouncesAt(email, valueAt(report, 'BouncedAt'), type === 'SpamComplaint')
}

/** Reads Resend's events (resend.com/docs/webhooks/event-types, read on 22 November 2026). */
export function readResendReport(event: unknown): Report {
  const type = valueAt(event, 'type')
  if (typeof type !== 'string') return { kind: 'malformed' }
  const [recipients, time] = [valueAt(event, 'data', 'to'), valueAt(event, 'created_at')]
  if (type === 'email.delivered') return arrivedAt(recipients)
  if (type === 'email.complained') return bouncesAt(recipients, time, true)
  // "permanently rejected", unless the event itself says otherwise.
  const bounceType = valueAt(event, 'data', 'bounce', 'type') ?? 'Permanent'
  if (type === 'email.bounced' && bounceType === 'Permanent') return bouncesAt(recipients, time)
  return { kind: 'other' }
}

/** Reads a nested value of parsed JSON by its names. Returns undefined if there is none. */
function valueAt(value: unknown, ...names: string[]): unknown {
  return names.reduce((one, name) => (one instanceof Object ? Reflect.get(one, name) : undefined), value)
}

function bouncesAt(recipients: unknown, time: unknown, isComplaint = false): Report {
  const at = typeof time === 'string' ? Date.parse(time) : NaN
  const bouncedAt = Number.isNaN(at) ? undefined : at
  const bounces = identitiesOf(recipients).map((identity) => ({ identity, bouncedAt, isComplaint }))
  return { kind: 'bounces', bounces }
}

function arrivedAt(recipients: unknown): Report {
  return { kind: 'arrived', identities: identitiesOf(recipients) }
}

/** An invalid address cannot be on the list. */
function identitiesOf(recipients: unknown): string[] {
  return [recipients]
    .flat()
    .flatMap((one) => (typeof one === 'string' ? (parseEmailAddress(one)?.identity ?? []) : []))
}
