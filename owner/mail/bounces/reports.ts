import { parseEmailAddress } from '#contract/email-address.ts'
import type { Report } from './take-report.ts'

/**
 * Bounce types after which no mail must be sent (postmarkapp.com/developer/api/bounce-api, bounce
 * types).
 */
const permanentTypes = new Set([
  'HardBounce',
  'BadEmailAddress',
  'SpamComplaint',
  'ManuallyDeactivated',
])

/**
 * Reads what Postmark's webhooks for bounces, spam complaints and deliveries post
 * (postmarkapp.com/developer/webhooks). Undefined: it is none.
 */
export function readPostmarkReport(report: Record<string, unknown>): Report[] | undefined {
  const { RecordType, Type, Email, Recipient, BouncedAt } = report
  if (typeof RecordType !== 'string') return undefined
  if (RecordType === 'Delivery') return reportsOf('arrived', Recipient)
  if (RecordType !== 'Bounce' && RecordType !== 'SpamComplaint') return []
  if (typeof Type !== 'string' || typeof Email !== 'string') return undefined
  if (!permanentTypes.has(Type)) return []
  return reportsOf(Type === 'SpamComplaint' ? 'complaint' : 'returned', Email, BouncedAt)
}

/**
 * Reads Resend's events (resend.com/docs/webhooks/event-types, read on 22 November 2026).
 * Undefined: it is none.
 */
export function readResendReport(event: Record<string, unknown>): Report[] | undefined {
  const { type, created_at: time, data } = event
  const { to, bounce }: Record<string, unknown> = Object(data)
  // "permanently rejected", unless the event itself says otherwise.
  const { type: bounceType = 'Permanent' }: Record<string, unknown> = Object(bounce)
  if (typeof type !== 'string') return undefined
  if (type === 'email.delivered') return reportsOf('arrived', to)
  if (type === 'email.complained') return reportsOf('complaint', to, time)
  return type === 'email.bounced' && bounceType === 'Permanent'
    ? reportsOf('returned', to, time)
    : []
}

/** An invalid address cannot be on the list. */
function reportsOf(kind: Report['kind'], recipients: unknown, time?: unknown): Report[] {
  const ms = typeof time === 'string' ? Date.parse(time) : NaN
  const at = Number.isNaN(ms) ? undefined : ms
  const words = [recipients].flat().filter((one) => typeof one === 'string')
  return words
    .flatMap((word) => parseEmailAddress(word) ?? [])
    .map(({ identity }) => ({ identity, kind, at }))
}
