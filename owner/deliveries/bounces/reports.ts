import { parseEmailAddress } from '#contract/email-address.ts'
import type { Bounce } from './mark-bounced.ts'

/** A provider reports that an address must get no more mail, that mail arrived, or something else. `malformed`: not its format. */
export type Report =
  | { kind: 'bounces'; bounces: Bounce[] }
  | { kind: 'arrived'; identities: string[] }
  | { kind: 'other' }
  | { kind: 'malformed' }

export type Fields = ReadonlyMap<string, unknown>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bounce types after which no mail must be sent (postmarkapp.com/developer/api/bounce-api, bounce types). */
const permanentTypes = new Set(['HardBounce', 'BadEmailAddress', 'SpamComplaint', 'ManuallyDeactivated'])

/** Reads what Postmark's webhooks for bounces, spam complaints and deliveries post (postmarkapp.com/developer/webhooks). */
export function readPostmarkReport(bytes: Buffer): Report {
  const fields = readObject(bytes)
  const recordType = fields?.get('RecordType')
  if (typeof recordType !== 'string') return { kind: 'malformed' }
  if (recordType === 'Delivery') return arrivedAt([fields?.get('Recipient')])
  if (recordType !== 'Bounce' && recordType !== 'SpamComplaint') return { kind: 'other' }
  const [type, email, bouncedAt] = ['Type', 'Email', 'BouncedAt'].map((name) => fields?.get(name))
  if (typeof type !== 'string' || typeof email !== 'string') return { kind: 'malformed' }
  return permanentTypes.has(type)
    ? bouncesAt([email], bouncedAt, type === 'SpamComplaint')
    : { kind: 'other' }
}

/** Reads Resend's events (resend.com/docs/webhooks/event-types, read on 22 November 2026). */
export function readResendReport(bytes: Buffer): Report {
  const event = readObject(bytes)
  const type = event?.get('type')
  if (typeof type !== 'string') return { kind: 'malformed' }
  const data = fieldsOf(event?.get('data'))
  const recipients = membersOf(data?.get('to'))
  switch (type) {
    case 'email.delivered':
      return arrivedAt(recipients)
    case 'email.complained':
      return bouncesAt(recipients, event?.get('created_at'), true)
    case 'email.bounced': {
      // "permanently rejected", unless the event itself says otherwise.
      const bounceType = fieldsOf(data?.get('bounce'))?.get('type') ?? 'Permanent'
      return bounceType === 'Permanent' ? bouncesAt(recipients, event?.get('created_at')) : { kind: 'other' }
    }
    default:
      return { kind: 'other' }
  }
}

/** Reads what Amazon SES publishes (docs.aws.amazon.com/ses/latest/dg/notification-contents.html, read on 22 November 2026). */
export function readSesReport(text: string): Report {
  const fields = readObject(text)
  const part = (name: string) => fieldsOf(fields?.get(name))
  // The second name is that of event publishing.
  switch (fields?.get('notificationType') ?? fields?.get('eventType')) {
    case 'Bounce': {
      const bounce = part('bounce')
      const recipients = membersOf(bounce?.get('bouncedRecipients')).map(addressOf)
      return bounce?.get('bounceType') === 'Permanent'
        ? bouncesAt(recipients, bounce.get('timestamp'))
        : { kind: 'other' }
    }
    case 'Complaint': {
      const complaint = part('complaint')
      const recipients = membersOf(complaint?.get('complainedRecipients')).map(addressOf)
      return complaint?.get('complaintFeedbackType') === 'not-spam'
        ? { kind: 'other' }
        : bouncesAt(recipients, complaint?.get('timestamp'), true)
    }
    case 'Delivery':
      return arrivedAt(membersOf(part('delivery')?.get('recipients')))
    default: // also Amazon's message that the topic works, which is no JSON
      return { kind: 'other' }
  }
}

function addressOf(recipient: unknown): unknown {
  return fieldsOf(recipient)?.get('emailAddress')
}

/** Returns undefined if the text is not a JSON object. */
export function readObject(text: Buffer | string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(typeof text === 'string' ? text : utf8.decode(text)))
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
}

/** The members of a list. */
function membersOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** An invalid address cannot be on the list. */
function bouncesAt(addresses: readonly unknown[], time: unknown, isComplaint = false): Report {
  const at = typeof time === 'string' ? Date.parse(time) : NaN
  const bouncedAt = Number.isNaN(at) ? undefined : at
  const bounces = identitiesOf(addresses).map((identity) => ({ identity, bouncedAt, isComplaint }))
  return bounces.length > 0 ? { kind: 'bounces', bounces } : { kind: 'other' }
}

function arrivedAt(addresses: readonly unknown[]): Report {
  const identities = identitiesOf(addresses)
  return identities.length > 0 ? { kind: 'arrived', identities } : { kind: 'other' }
}

function identitiesOf(addresses: readonly unknown[]): string[] {
  return addresses.flatMap((one) => (typeof one === 'string' ? (parseEmailAddress(one)?.identity ?? []) : []))
}
