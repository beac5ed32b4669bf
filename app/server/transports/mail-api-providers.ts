import type { MailMessage } from './mailer.ts'

export const mailApiNames = ['resend', 'postmark'] as const
export type MailApiName = (typeof mailApiNames)[number]

export interface MailApiProvider {
  baseUrl: string
  /** Below the base URL. */
  path: string
  /** Documented, changes nothing, and needs the key. */
  harmlessPath: string
  credential(key: string): Record<string, string>
  /** Headers of the request. */
  headersFor(message: MailMessage): Record<string, string>
  bodyFor(message: MailMessage): Record<string, unknown>
  isAccepted(answer: Fields): boolean
  /** `code`: the provider's own name or number of an error, if the answer has one. `message`: its words, or ''. */
  read(answer: Fields): { code: string | undefined; message: string }
  judge(status: number, code: string | undefined, message: string): Verdict
}

export type Fields = ReadonlyMap<string, unknown>

/**
 * `mail-refused`: this mail, again and again. `mail-postponed`: this mail, for now. `account-refused`: any mail, until the
 * owner or the provider does something. `away`: any mail, the provider cannot be reached.
 */
export type Verdict = 'mail-refused' | 'mail-postponed' | 'account-refused' | 'away'

/** Read on 22 November 2026: resend.com/docs/api-reference/errors, …/emails/send-email, …/rate-limit. */
const resend: MailApiProvider = {
  baseUrl: 'https://api.resend.com',
  path: '/emails',
  harmlessPath: '/domains',
  credential: (key) => ({ authorization: `Bearer ${key}` }),
  // A key of at most 256 characters, remembered for 24 hours: dashboard/emails/idempotency-keys.
  headersFor: ({ messageId }) => ({ 'idempotency-key': messageId.slice(0, 256) }),
  bodyFor: ({ from, to, replyTo, subject, text, html, messageId, headers }) => ({
    from: mailbox(from),
    to: [to],
    reply_to: replyTo,
    subject,
    text,
    html,
    headers: { 'Message-ID': messageId, ...headers },
  }),
  isAccepted: (answer) => answer.has('id'),
  read: (answer) => errorOf(answer.get('name'), answer.get('message')),
  judge(status, code, message) {
    switch (status) {
      case 400:
      case 422:
        // `validation_error` also stands for a key or a sender that the account does not know.
        return accountCodes.has(code ?? '') || aboutTheAccount.test(message)
          ? 'account-refused'
          : 'mail-refused'
      case 409:
        return code === 'invalid_idempotent_request' ? 'mail-refused' : 'mail-postponed'
      case 451: // security_error: "Contact support"
        return 'account-refused'
      default:
        return judgeByStatus(status)
    }
  },
}

const accountCodes = new Set(['invalid_from_address', 'invalid_access', 'invalid_region'])
const aboutTheAccount = /\bapi key\b|\bfrom\b|\bverif|\bsender\b/i

/** Read on 22 November 2026: postmarkapp.com/developer/api/overview, "HTTP response codes" and "API error codes". */
const postmark: MailApiProvider = {
  baseUrl: 'https://api.postmarkapp.com',
  path: '/email',
  harmlessPath: '/server',
  credential: (key) => ({ 'x-postmark-server-token': key }),
  headersFor: () => ({}),
  bodyFor: ({ from, to, replyTo, subject, text, html, messageId, headers }) => ({
    From: mailbox(from),
    To: to,
    ReplyTo: replyTo,
    Subject: subject,
    TextBody: text,
    HtmlBody: html,
    // Without X-PM-KeepID Postmark puts its own Message-ID in place of ours.
    Headers: Object.entries({ 'Message-ID': messageId, 'X-PM-KeepID': 'true', ...headers }).map(
      ([Name, Value]) => ({ Name, Value }),
    ),
    TrackOpens: false,
    TrackLinks: 'None',
  }),
  isAccepted: (answer) => answer.has('MessageID') && (answer.get('ErrorCode') ?? 0) === 0,
  read: (answer) => errorOf(answer.get('ErrorCode'), answer.get('Message')),
  judge(status, code, message) {
    if (status !== 422 && status !== 200) return judgeByStatus(status)
    if (code === '406') return 'mail-refused' // inactive recipient
    if (code === '300') return aboutTheAccount.test(message) ? 'account-refused' : 'mail-refused'
    if (code === '100') return 'away' // maintenance
    // Token, sender signature, credits, approval, message stream: every mail would be refused.
    return code === undefined || code === '0' ? 'mail-postponed' : 'account-refused'
  },
}

export const mailApiProviders: Record<MailApiName, MailApiProvider> = { resend, postmark }

/** Statuses that both providers document alike. An unknown answer counts as temporary, so that it cannot fail the queue. */
function judgeByStatus(status: number): Verdict {
  if (status >= 300 && status < 400) return 'account-refused' // redirects are not followed: the base URL is wrong
  if ([401, 403, 404, 405, 429].includes(status)) return 'account-refused'
  return [502, 503, 504].includes(status) ? 'away' : 'mail-postponed'
}

export function failureFor(verdict: Verdict, retryAfterMs: number | undefined) {
  switch (verdict) {
    case 'mail-refused':
      return { kind: 'permanent' } as const
    case 'mail-postponed':
      return { kind: 'temporary', isRelayAway: false, retryAfterMs } as const
    case 'account-refused':
      return { kind: 'temporary', isRelayAway: true, isAboutUs: true, retryAfterMs } as const
    case 'away':
      return { kind: 'temporary', isRelayAway: true, retryAfterMs } as const
    default:
      return verdict satisfies never
  }
}

/** RFC 5322 3.2.4: in quotes a name may have any character. */
function mailbox(from: MailMessage['from']): string {
  if (typeof from === 'string') return from
  if (from.name === '') return from.address
  return `"${from.name.replaceAll(/["\\]/g, String.raw`\$&`)}" <${from.address}>`
}

/** The code goes to the log, so it may not be free text. */
function errorOf(code: unknown, message: unknown) {
  const isCode = typeof code === 'number' || (typeof code === 'string' && /^[a-z\d_]{1,60}$/.test(code))
  return { code: isCode ? String(code) : undefined, message: typeof message === 'string' ? message : '' }
}
