import type { MailMessage } from '#mail/mail-message.ts'

export const mailApiNames = ['resend', 'postmark'] as const
export type MailApiName = (typeof mailApiNames)[number]

/**
 * `mail-refused`: this mail, again and again. `mail-postponed`: this mail, for now.
 * `account-refused`: any mail, until the owner or the provider does something. `away`: any mail,
 * the provider cannot be reached. `by-message`: the words tell whether the mail or the account is
 * refused.
 */
type Verdict = keyof typeof outcomes | 'by-message'

interface MailApiProvider {
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
  /**
   * `code`: the provider's own name or number of an error, if the answer has one. `message`: its
   * words, or ''.
   */
  read(answer: Fields): { code: string | undefined; message: string }
  /** By status and code, or by status alone. */
  verdicts: Readonly<Record<string, Verdict>>
}

export type Fields = ReadonlyMap<string, unknown>

/**
 * Read on 22 November 2026: resend.com/docs/api-reference/errors, …/emails/send-email,
 * …/rate-limit.
 */
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
  verdicts: {
    400: 'by-message', // `validation_error` also stands for a key or a sender that the account does not know
    422: 'by-message',
    '422 invalid_from_address': 'account-refused',
    '422 invalid_access': 'account-refused',
    '422 invalid_region': 'account-refused',
    '409 invalid_idempotent_request': 'mail-refused',
    451: 'account-refused', // security_error: "Contact support"
  },
}

/**
 * Read on 22 November 2026: postmarkapp.com/developer/api/overview, "HTTP response codes" and "API
 * error codes".
 */
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
  verdicts: {
    422: 'account-refused', // token, sender signature, credits, approval, message stream
    '422 406': 'mail-refused', // inactive recipient
    '422 300': 'by-message',
    '422 100': 'away', // maintenance
    '422 undefined': 'mail-postponed',
  },
}

export const mailApiProviders: Record<MailApiName, MailApiProvider> = { resend, postmark }

const outcomes = {
  'mail-refused': { kind: 'permanent' },
  'mail-postponed': { kind: 'temporary', isRelayAway: false },
  'account-refused': { kind: 'temporary', isRelayAway: true },
  away: { kind: 'temporary', isRelayAway: true },
} as const

const aboutTheAccount = /\bapi key\b|\bfrom\b|\bverif|\bsender\b/i

/** An unknown answer counts as temporary, so that it cannot fail the queue. */
export function classifyAnswer(name: MailApiName, status: number, fields: Fields) {
  const { verdicts, read } = mailApiProviders[name]
  const { code, message } = read(fields)
  const verdict = verdicts[`${status} ${code}`] ?? verdicts[status] ?? usualVerdict(status)
  if (verdict !== 'by-message') return outcomes[verdict]
  return outcomes[aboutTheAccount.test(message) ? 'account-refused' : 'mail-refused']
}

/** Both providers document these alike. A redirect means that the base URL is wrong. */
function usualVerdict(status: number): Verdict {
  if ((status >= 300 && status < 400) || [401, 403, 404, 405, 429].includes(status)) {
    return 'account-refused'
  }
  return [502, 503, 504].includes(status) ? 'away' : 'mail-postponed'
}

/** RFC 5322 3.2.4: in quotes a name may have any character. */
function mailbox(from: MailMessage['from']): string {
  if (typeof from === 'string') return from
  if (from.name === '') return from.address
  return `"${from.name.replaceAll(/["\\]/g, String.raw`\$&`)}" <${from.address}>`
}

/** The code goes to the log, so it may not be free text. */
function errorOf(code: unknown, message: unknown) {
  const isCode =
    typeof code === 'number' || (typeof code === 'string' && /^[a-z\d_]{1,60}$/.test(code))
  return {
    code: isCode ? String(code) : undefined,
    message: typeof message === 'string' ? message : '',
  }
}
