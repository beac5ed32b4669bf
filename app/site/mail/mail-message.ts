/** One mail to one recipient, in fields that SMTP and HTTP APIs accept. */
export interface MailMessage {
  from: string | { name: string; address: string }
  /** One address, which is never parsed, so "a@x, b@x" is not two. */
  to: string
  replyTo?: string
  subject: string
  text: string
  html?: string
  messageId: string
  date: Date
  headers: Record<string, string>
  /** It parts the two texts. The same boundary gives the same bytes. */
  boundary?: string
}
