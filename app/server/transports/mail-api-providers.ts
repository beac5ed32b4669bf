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
   * True if a refusal with this code names the recipient. Every other one is about our key, our
   * sender or the provider. `hasRecipient`: its words have the recipient's address.
   */
  isAboutRecipient(code: string | undefined, words: string, hasRecipient: boolean): boolean
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
  isAboutRecipient: (_code, words, hasRecipient) =>
    (hasRecipient || words.includes('`to`')) && !words.includes('`from`'),
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
  // 406 is an inactive recipient, 300 an invalid request: "Error parsing 'To': …". 412 names the
  // recipient too, although the account is not approved yet.
  isAboutRecipient: (code, words, hasRecipient) =>
    code === '406' || (code === '300' && (hasRecipient || words.includes("'To'"))),
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
