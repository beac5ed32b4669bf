import type { Config } from '#server/settings/config.ts'
import { withPublishedSender } from '#server/site/fill-site.ts'
import { writeSiteSettings } from '#server/settings/site-settings.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { explainReason } from '#owner/mail/reasons.ts'
import { checkMailApi } from '#owner/conditions/mail-service/check-mail-api.ts'
import { checkSmtp } from '#owner/conditions/mail-service/check-smtp.ts'
import type { Condition } from '#owner/conditions/condition.ts'
import type { SiteSettings } from '#server/settings/site-settings.ts'
import { sendStarterTest } from '#owner/conditions/mail-service/send-test-mail.ts'
import type { OwnerRequest } from '#owner/acts/desk-request.ts'
import { ownerProcedure, provedProcedure, router } from '#owner/acts/procedures.ts'
import {
  configWith,
  type MailServiceInput,
  mailServiceInput,
  shownMailService,
  variablesOf,
} from './mail-service-input.ts'
import {
  fingerprintOf,
  isProved,
  keepMailTest,
  type MailTest,
  readMailTests,
} from '#owner/conditions/mail-service/mail-tests.ts'

/** The owner waits for it. */
const limits = { timeoutMs: 10_000, finalReplyTimeoutMs: 20_000 }

export const mailServiceRouter = router({
  show: ownerProcedure.query(async ({ ctx: { server, ownerEmail } }) => {
    const settings = server.settings.current
    const tests = await readMailTests(server.database)
    return {
      ...shownMailService(settings),
      goesTo: ownerEmail,
      /** Mail can be looked at on this machine, and goes nowhere. */
      hasLocalInbox: settings.config.hasLocalInbox,
      isProved: isProved(tests, settings.config, server.secret),
      tests: tests.map(({ sentWith: _sentWith, ...test }) => test),
    }
  }),
  save: provedProcedure.input(mailServiceInput).mutation(async ({ ctx: { server }, input }) => {
    const { settings, database, now, wakeDeliveries } = server
    const variables = variablesOf(input, settings.current)
    configWith(variables, settings.current) // throws for what cannot be used
    await database.transaction(async (transaction) => {
      await writeSiteSettings(transaction, variables)
      const action = 'Changed the mail service'
      await recordActionIn(transaction, { at: now(), action, about: '' })
    })
    await settings.refresh()
    wakeDeliveries()
  }),
  /** Sends with what stands in the fields, and keeps what came of it. */
  test: provedProcedure.input(mailServiceInput).mutation(async ({ ctx, input }) => {
    const { sentWith: _sentWith, ...test } = await testService(ctx, input)
    return test
  }),
})

async function testService(
  { server, ownerEmail }: OwnerRequest,
  input: MailServiceInput,
): Promise<MailTest> {
  const { settings, site, secret, database, now } = server
  const config = configWith(variablesOf(input, settings.current), settings.current)
  const { starter } = site.current.mails
  const startedAt = now()
  const sent = await sendStarterTest({
    config: withPublishedSender(config, site.current.content), // visitors' mail has the name
    starter,
    address: ownerEmail,
    limits,
    now: startedAt,
  })
  const seconds = ((now() - startedAt) / 1000).toFixed(1)
  const outcome = sent.isSent
    ? {
        what: 'The test mail was sent.',
        said: `${sent.reply ?? 'stored'}, in ${seconds}\u00a0s`,
        why: '',
        advice: 'Check that it is in your inbox, and not in spam.',
      }
    : await explainFailure({ ...settings.current, config }, sent.failure.why, sent.said)
  const test = {
    at: startedAt,
    isSent: sent.isSent,
    ...outcome,
    sentWith: fingerprintOf(config, secret),
  }
  await keepMailTest(database, test)
  return test
}

/** Asks the service once more, as the check-up does: it knows certificates and logins apart. */
async function explainFailure(
  settings: SiteSettings,
  code: string,
  said: string,
): Promise<Pick<MailTest, 'what' | 'said' | 'why' | 'advice'>> {
  const { config } = settings
  const { words, advice } = explainReason(code)
  const check = config.mailApi ? checkMailApi : checkSmtp
  const found = [await check({ config, settings })].flat()
  const error: Condition | undefined = found.find(({ severity }) => severity === 'error')
  return {
    what: words,
    said: `${said}, ${hostOf(config)}`,
    why: error?.what ?? 'The server answers, and refuses this mail.',
    advice: error?.advice ?? advice,
  }
}

function hostOf({ mailApi, smtpUrl }: Config): string {
  const url = mailApi?.baseUrl ?? smtpUrl
  return url === undefined ? 'no mail service' : new URL(url).hostname
}
