import sql from 'sql-template-tag'
import { parseEmailAddress } from '#contract/email-address.ts'
import { composeMail, type MailTemplate, type Sender } from '#site/mail/compose-mail.ts'
import type { Database } from '#server/database/database.ts'
import type { Config } from '#server/settings/config.ts'
import { giveToken, newToken } from '#server/subscribers/subscribers.ts'
import type { Mailer, SendOutcome } from '#server/transports/mailer.ts'
import { recordAction } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { explainReason } from '#owner/mail/reasons.ts'

interface TestContext {
  database: Database
  mailer: Mailer
  config: Sender & Pick<Config, 'senderDomain'>
  now: () => number
}

/**
 * Mails a test of a mailing to one address. The links below it are those of the person with this
 * address; if nobody has it they lead to the home page. False: nobody has it.
 */
export async function sendTest(
  { database, mailer, config, now }: TestContext,
  template: MailTemplate,
  address: string,
): Promise<boolean> {
  const token = await takeToken(database, address)
  const { subject, html, text } = token === undefined ? withHomeLinks(template) : template
  const test = { ...template, subject: `[Test] ${subject}`, html, text }
  const sending = await sendTestMail(mailer, test, config, { address, token, now: now() })
  if (sending.kind !== 'accepted') throw new CommandError(explainReason(sending.why).words)
  await recordAction(database, { at: now(), action: 'Sent a test of a letter', about: '' })
  return token !== undefined
}

function withHomeLinks(template: MailTemplate): MailTemplate {
  const withHome = (part: string) => part.replaceAll(/\{\w+Url\}/g, '{publicUrl}')
  return { ...template, html: withHome(template.html), text: withHome(template.text) }
}

/**
 * The token of the person with this address. It is made now for somebody who was imported and had
 * no mail yet. Undefined: nobody has the address.
 */
function takeToken(database: Database, address: string): Promise<string | undefined> {
  const who = sql`identity = ${parseEmailAddress(address)?.identity ?? ''}`
  return database.transaction(async (transaction) => {
    const person = await transaction.row<{ id: number }>(
      sql`select id from subscribers where ${who}`,
    )
    if (!person) return undefined
    await giveToken(transaction, person.id)
    const { token } = (await transaction.row<{ token: string }>(
      sql`select token from subscribers where ${who}`,
    ))!
    return token
  })
}

interface TestRecipient {
  address: string
  /** Opens their personal page. Undefined: they have none, and its links lead to the home page. */
  token?: string | undefined
  /** ms since 1970. */
  now: number
}

/** Sends one mail. */
export async function sendTestMail(
  mailer: Mailer,
  template: MailTemplate,
  config: Sender & Pick<Config, 'senderDomain'>,
  { address, token = newToken(), now }: TestRecipient,
): Promise<SendOutcome> {
  const messageId = `<${newToken()}@${config.senderDomain}>`
  const delivery = { address, token, messageId, date: new Date(now) }
  return mailer.send(composeMail(template, config, delivery))
}
