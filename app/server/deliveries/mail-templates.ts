import sql from 'sql-template-tag'
import {
  type ComposeStarterEmail,
  prepareStarterEmail,
  type StarterEmailTemplate,
} from '#mail/compose-starter-email.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { contentHash } from '../subscribers/wordings.ts'

/**
 * Stores everything needed to write a mail, under its hash: a delivery retried after an update of the product sends the
 * same bytes. It stays for good: some 10 KB for each version of the mail.
 */
export async function keepTemplate(
  transaction: Transaction,
  template: StarterEmailTemplate,
): Promise<string> {
  const content = JSON.stringify(template)
  const name = contentHash(content)
  await transaction.run(
    sql`insert into mail_templates (hash, content) values (${name}, ${content}) on conflict do nothing`,
  )
  return name
}

const composers = new Map<string, ComposeStarterEmail>()

/** Finds and prepares a template once, for all its mails. */
export async function composerOf(reader: Reader, name: string): Promise<ComposeStarterEmail> {
  const known = composers.get(name)
  if (known) return known
  const row = await reader.row<{ content: string }>(
    sql`select content from mail_templates where hash = ${name}`,
  )
  const composer = prepareStarterEmail(JSON.parse(row!.content)) // as keepTemplate wrote it; a foreign key keeps it
  composers.set(name, composer)
  return composer
}
