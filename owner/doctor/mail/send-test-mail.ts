import { join } from 'node:path'
import { prepareStarterEmail } from '#mail/compose-starter-email.ts'
import { openMailer, readStarterEmailTemplate } from '#server/transports/open-mailer.ts'
import type { SendOutcome } from '#server/transports/mailer.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import { type Check, type Finding, type CheckContext, subject } from '../finding.ts'
import { onlyMissing } from '../read-kit.ts'

const about = subject('mail.test', 'Only a mail that arrives proves that mail arrives.')

export const testMailChecks: Check[] = [{ about, run: checkTestMail, limitMs: 90_000 }]

/** Shorter than for a real mail, because losing a test does no harm. */
const limits = { timeoutMs: 20_000, finalReplyTimeoutMs: 60_000 }

async function checkTestMail({ config, folder, now, testAddress }: CheckContext): Promise<Finding[]> {
  if (testAddress === undefined) return []
  const template = await readStarterEmailTemplate(join(folder, 'dist'), config).catch(onlyMissing)
  if (!template) return [about.unknown('The mail is not built yet.', 'npm run build')]
  const mailer = await openMailer(config, limits)
  const domain = config.mailFrom.address.split('@')[1]
  const delivery = {
    address: testAddress,
    token: newToken(),
    messageId: `<${newToken()}@${domain}>`,
    date: new Date(now()),
  }
  const marked = { ...template, subject: `[Test] ${template.subject}` }
  const compose = await prepareStarterEmail(marked)
  const sending = await mailer.send(compose(delivery)).finally(() => mailer.close())
  return [judge(testAddress, sending)]
}

function judge(address: string, sending: SendOutcome): Finding {
  if (sending.kind === 'accepted')
    return about.ok(
      sending.reply === undefined
        ? `The test mail to ${address} is in the local inbox.`
        : `The test mail to ${address} was accepted: ${sending.reply}. Its links lead to nobody's page.`,
    )
  const { cause, why } = sending
  const words = cause instanceof Error && 'response' in cause ? String(cause.response) : why
  return about.wrong(
    `The test mail to ${address} was not accepted: ${words}.`,
    sending.kind === 'permanent'
      ? 'It would be refused again. The reply of the server says why.'
      : 'A real mail would be tried again later. The findings above may say why it failed.',
  )
}
