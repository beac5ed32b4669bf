import type { MailMessage } from '#site/mail/mail-message.ts'
import type { MailApiName } from '../settings/mail-apis.ts'

export interface MailApiProvider {
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
  /**
   * The status code of RFC 3463 for a refusal that names the recipient's address. Undefined for
   * every other one: it is about our key, our sender or the provider.
   */
  statusCodeFor(code: string | undefined, words: string): string | undefined
}

export type Fields = ReadonlyMap<string, unknown>

/**
 * Read on 22 November 2026: resend.com/docs/api-reference/errors, …/emails/send-email,
 * …/rate-limit.
 */
const resend: MailApiProvider = {
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
  // "Invalid `to` field." A refused sender names the `from` field.
  statusCodeFor: (_code, words) =>
    words.includes('`to`') && !words.includes('`from`') ? '5.1.3' : undefined,
}

/**
 * Read on 22 November 2026: postmarkapp.com/developer/api/overview, "HTTP response codes" and "API
 * error codes".
 */
const postmark: MailApiProvider = {
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
  // 406 is an inactive recipient: mail to it came back, or was reported as spam. 300 is an invalid
  // request: "Error parsing 'To': Illegal email address".
  statusCodeFor(code, words) {
    if (code === '406') return '5.2.1'
    const isAddress = code === '300' && /'To'|illegal email address/i.test(words)
    return isAddress && !words.includes("'From'") ? '5.1.3' : undefined
  },
}

export const mailApiProviders: Record<MailApiName, MailApiProvider> = { resend, postmark }

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
