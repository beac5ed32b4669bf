// The limit: nodemailer's pool, with messages that were composed before.
import { createTransport } from 'nodemailer'
import { composeStarterEmail, type StarterEmailTemplate } from '#server/mail/compose-starter-email.ts'
import { answerParent } from '../child.ts'

export interface Batch {
  url: string
  concurrency: number
  count: number
  template: StarterEmailTemplate
}

/** So many different ones are enough, and leave the memory to the sending. */
const composedAtMost = 1_000

answerParent(async ({ url, concurrency, count, template }: Batch) => {
  const messages = Array.from({ length: Math.min(count, composedAtMost) }, (_, index) =>
    composeStarterEmail(template, {
      address: `visitor.${String(index).padStart(9, '0')}@example.com`,
      token: 'abcdefghijklmnopqrstuv',
      messageId: `<${String(index).padStart(36, '0')}@localhost>`,
      date: new Date(0),
    }),
  )
  const transport = createTransport({ pool: true, url, maxConnections: concurrency, maxMessages: Infinity })
  const sending: Promise<unknown>[] = []
  let sent = 0
  await new Promise<void>((resolve) => {
    transport.on('idle', () => {
      while (transport.isIdle() && sent < count) {
        sending.push(transport.sendMail({ ...messages[sent % messages.length] }))
        sent += 1
      }
      if (sent === count) resolve()
    })
  })
  await Promise.all(sending)
  transport.close()
  return {}
})
