import { parseEmailAddress } from '#contract/email-address.ts'
import { codesIn } from '#server/transports/refusal.ts'
import { kindOfReturn } from './returned-mail.ts'
import type { Report } from './take-report.ts'

/**
 * Reads what Postmark's webhooks post for bounces, spam complaints, deliveries and changes of its
 * list of suppressed addresses (postmarkapp.com/developer/webhooks). Undefined: it is none.
 */
export function readPostmarkReport(report: Record<string, unknown>): Report[] | undefined {
  const { RecordType, Type, Email, Recipient, BouncedAt, Details } = report
  if (typeof RecordType !== 'string') return undefined
  switch (RecordType) {
    case 'Delivery':
      return reportsOf(Recipient, () => 'arrived')
    case 'SubscriptionChange': {
      const { SuppressSending, SuppressionReason, ChangedAt } = report
      if (SuppressSending !== true) return []
      return reportsOf(Recipient, returnKind([SuppressionReason], []), ChangedAt)
    }
    case 'Bounce':
    case 'SpamComplaint':
      if (typeof Type !== 'string' || typeof Email !== 'string') return undefined
      return reportsOf(Email, returnKind([Type], [Details]), BouncedAt)
    default:
      return []
  }
}

/**
 * Reads Resend's events (resend.com/docs/webhooks/event-types, read on 22 November 2026).
 * Undefined: it is none.
 */
export function readResendReport(event: Record<string, unknown>): Report[] | undefined {
  const { type, created_at: time, data } = event
  const { to, email, unsubscribed, bounce, suppressed }: Record<string, unknown> = Object(data)
  if (typeof type !== 'string') return undefined
  switch (type) {
    case 'email.delivered':
      return reportsOf(to, () => 'arrived')
    case 'email.complained':
      return reportsOf(to, () => 'complaint', time)
    case 'email.bounced': {
      const { type: bounceType = 'Permanent', ...said }: Record<string, unknown> = Object(bounce)
      return reportsOf(to, returnKind([bounceType], textsIn(said)), time)
    }
    case 'email.suppressed':
      return reportsOf(to, returnKind(['suppressed'], textsIn(Object(suppressed))), time)
    case 'contact.updated':
      return unsubscribed === true ? reportsOf(email, () => 'unsubscribed', time) : []
    default:
      return []
  }
}

function textsIn(fields: Record<string, unknown>): unknown[] {
  return Object.values(fields).flat()
}

/** `said`: only the answer of a mail server counts. The provider's own words name everything. */
function returnKind(types: unknown[], said: unknown[]): (recipient: string) => Report['kind'] {
  const isText = (one: unknown) => typeof one === 'string'
  const answers = said.filter(isText).filter((text) => {
    const { status, enhanced } = codesIn(text)
    return status !== undefined || enhanced !== undefined
  })
  return (recipient) =>
    kindOfReturn({ types: types.filter(isText), said: answers.join('; '), recipient })
}

/** An invalid address cannot be on the list. */
function reportsOf(
  recipients: unknown,
  kindFor: (recipient: string) => Report['kind'],
  time?: unknown,
): Report[] {
  const ms = typeof time === 'string' ? Date.parse(time) : NaN
  const at = Number.isNaN(ms) ? undefined : ms
  const words = [recipients].flat().filter((one) => typeof one === 'string')
  return words
    .flatMap((word) => parseEmailAddress(word) ?? [])
    .map(({ identity }) => ({ identity, kind: kindFor(identity), at }))
}
