import { composeMail, type MailTemplate, type Sender } from '#site/mail/compose-mail.ts'

/** A mail as a recipient gets it. */
export interface ShownMail {
  subject: string
  html: string
  text: string
}

/** Returns a mail as an example recipient gets it. */
export function previewMail(
  template: MailTemplate,
  sender: Sender,
  address = 'somebody@example.com',
): ShownMail {
  const example = { address, token: 'TOKEN', messageId: '', date: new Date(0) }
  const { subject, html = '', text } = composeMail(template, sender, example)
  return { subject, html, text }
}
