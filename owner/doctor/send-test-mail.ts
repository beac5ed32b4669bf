import { join } from 'node:path'
import { starterTemplate } from '#server/site/fill-site.ts'
import { readStarterMail } from '#server/site/site-files.ts'
import { openMailer } from '#server/transports/open-mailer.ts'
import { sendTestMail } from '../announcements/announcement-mail.ts'
import type { CheckContext, Outcome, Subject } from './finding.ts'

/** Shorter than for a real mail, because losing a test does no harm. */
const limits = { timeoutMs: 20_000, finalReplyTimeoutMs: 60_000 }

export async function checkTestMail(
  context: CheckContext,
  { ok, wrong }: Subject,
): Promise<Outcome> {
  const { config, folder, now, testAddress } = context
  if (testAddress === undefined) return []
  const template = starterTemplate(readStarterMail(join(folder, 'dist')), config)
  const mailer = await openMailer(config, limits)
  const marked = { ...template, subject: `[Test] ${template.subject}` }
  const to = { address: testAddress, now: now() }
  const sending = await sendTestMail(mailer, marked, config, to).finally(() => mailer.close())
  if (sending.kind === 'accepted') {
    return ok(
      sending.reply === undefined
        ? `The test mail to ${testAddress} is in the local inbox.`
        : `The test mail to ${testAddress} was accepted: ${sending.reply}. Its links lead to nobody's page.`,
    )
  }
  const { cause, why } = sending
  const words = cause instanceof Error && 'response' in cause ? String(cause.response) : why
  return wrong(
    `The test mail to ${testAddress} was not accepted: ${words}.`,
    sending.kind === 'refused'
      ? "It would be refused again. The server's reply says why."
      : 'A real mail would be tried again later. The findings above may say why it failed.',
  )
}
