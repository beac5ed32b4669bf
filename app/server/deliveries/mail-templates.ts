import sql from 'sql-template-tag'
import type { MailTemplate } from '#site/mail/compose-mail.ts'
import type { Transaction } from '../database/database.ts'
import { contentHash } from '../subscribers/wordings.ts'

/**
 * Stores the words of a mail, under their hash: a delivery retried after an update of
 * the product sends the same bytes. It stays for good: some 10 KB for each version of the mail.
 */
export async function keepTemplate(
  transaction: Transaction,
  template: MailTemplate,
): Promise<string> {
  const content = JSON.stringify(template)
  const name = contentHash(content)
  await transaction.run(
    sql`insert into mail_templates (hash, content) values (${name}, ${content}) on conflict do nothing`,
  )
  return name
}
