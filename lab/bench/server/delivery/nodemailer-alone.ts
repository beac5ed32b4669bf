// nodemailer's pool alone: the mails are made beforehand, and nothing is recorded.
import { createTransport, type SendMailOptions } from 'nodemailer'
import {
  prepareStarterEmail,
  type StarterEmailDelivery,
  type StarterEmailTemplate,
} from '#mail/compose-starter-email.ts'

export interface Batch {
  url: string
  concurrency: number
  count: number
  template: StarterEmailTemplate
  /** True: gets whole mails as bytes. False: gets texts and headers, the usual way. */
  finished: boolean
}

/** More distinct mails would only take memory. */
const composedAtMost = 1_000

const { url, concurrency, count, template, finished }: Batch = JSON.parse(process.argv[2] ?? '')
const write = finished ? await prepareStarterEmail(template) : textsOf(template)
const messages = Array.from({ length: Math.min(count, composedAtMost) }, (_, index) =>
  write({
    address: `visitor.${String(index).padStart(9, '0')}@example.com`,
    token: 'abcdefghijklmnopqrstuv',
    messageId: `<${String(index).padStart(36, '0')}@localhost>`,
    date: new Date(0),
  }),
)
const transport = createTransport({ pool: true, url, maxConnections: concurrency, maxMessages: Infinity })
const sending: Promise<unknown>[] = []
await new Promise<void>((resolve) => {
  transport.on('idle', () => {
    while (transport.isIdle() && sending.length < count)
      sending.push(transport.sendMail({ ...messages[sending.length % messages.length] }))
    if (sending.length === count) resolve()
  })
})
await Promise.all(sending)
transport.close()
process.send?.(sending.length)

function textsOf({ publicUrl, from, replyTo, subject, ...texts }: StarterEmailTemplate) {
  return ({ address, token, messageId, date }: StarterEmailDelivery): SendMailOptions => {
    const kitUrl = `${publicUrl}/kit/${token}`
    const fill = (text: string) =>
      text
        .replaceAll('{{address}}', address)
        .replaceAll('{{scriptUrl}}', `${kitUrl}/ema-crossover.pine`)
        .replaceAll('{{guideUrl}}', `${kitUrl}/setup-guide.pdf`)
        .replaceAll('{{unsubscribeUrl}}', `${kitUrl}/unsubscribe`)
        .replaceAll('{{kitUrl}}', kitUrl)
    return {
      from,
      replyTo,
      subject,
      messageId,
      date,
      to: { name: '', address },
      text: fill(texts.text),
      html: fill(texts.html),
      list: { unsubscribe: [[`${kitUrl}/unsubscribe`]] },
      headers: {
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
      },
    }
  }
}
