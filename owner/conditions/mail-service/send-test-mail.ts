import type { RenderedMails } from '#site/bundle.ts'
import type { Config } from '#server/settings/config.ts'
import type { SendFailure } from '#server/transports/mailer.ts'
import { openMailer } from '#server/transports/open-mailer.ts'
import { answerIn } from '#server/transports/smtp-failure.ts'
import type { RelayOptions } from '#server/transports/relay-mailer.ts'
import { sendTestMail } from '#owner/mailings/send-test.ts'
import { readServedMails } from '#owner/mailings/served-mails.ts'
import { explainNetworkFault } from '#owner/acts/network-faults.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import type { CheckContext, Outcome } from '../check-context.ts'
import { about } from '../condition.ts'

const testLimits = { timeoutMs: 20_000, finalReplyTimeoutMs: 60_000 }

export async function checkTestMail(context: CheckContext): Promise<Outcome> {
  const { fine, error } = about('mail.test')
  const { config, now, testAddress } = context
  if (testAddress === undefined) return []
  const { mails } = await withDatabase(context, ({ database }) =>
    readServedMails(context, database),
  )
  const test = await sendStarterTest({
    config,
    starter: mails.starter,
    address: testAddress,
    limits: testLimits,
    now: now(),
  })
  if (!test.isSent) {
    const why = explainNetworkFault(test.said) ?? test.said
    return error(
      `The mail server did not accept the test mail to ${testAddress}: ${why}.`,
      test.failure.kind === 'refused'
        ? "It would be refused again. The server's reply says why."
        : 'A real mail would be tried again later. The conditions of the mail server say why it failed.',
    )
  }
  return fine(
    test.reply === undefined
      ? `The test mail to ${testAddress} is in the local inbox.`
      : `The test mail to ${testAddress} was accepted: ${test.reply}. Its links lead to nobody's page.`,
  )
}

interface StarterTest {
  /** How it is sent. */
  config: Config
  starter: RenderedMails['starter']
  address: string
  /** Losing a test does no harm, so it waits less than a real mail. */
  limits: RelayOptions
  /** ms since 1970. */
  now: number
}

type StarterTestOutcome =
  /** `reply`: the relay's words. Undefined: it is in the local inbox. */
  | { isSent: true; reply: string | undefined }
  /** `said`: the relay's words, or a code if it said nothing. */
  | { isSent: false; said: string; failure: SendFailure }

/**
 * Sends the starter mail, marked as a test. Its links lead to nobody's page, and nothing is kept.
 */
export async function sendStarterTest({
  config,
  starter,
  address,
  limits,
  now,
}: StarterTest): Promise<StarterTestOutcome> {
  const marked = { ...starter, subject: `[Test] ${starter.subject}` }
  const mailer = await openMailer(config, limits)
  const sending = await sendTestMail(mailer, marked, config, { address, now }).finally(() =>
    mailer.close(),
  )
  if (sending.kind === 'accepted') return { isSent: true, reply: sending.reply }
  const { cause, why } = sending
  return { isSent: false, said: answerIn(cause) ?? why, failure: sending }
}
