import { type Connection, contentHash } from '../database/database.ts'
import {
  type ComposeStarterEmail,
  prepareStarterEmail,
  type StarterEmailTemplate,
} from '#mail/compose-starter-email.ts'

/**
 * Stores everything needed to write a mail, under its hash: a delivery retried after an update of the product sends the
 * same bytes. It stays for good: some 10 KB for each version of the mail.
 */
export async function keepTemplate(connection: Connection, template: StarterEmailTemplate): Promise<string> {
  const content = JSON.stringify(template)
  const name = contentHash(content)
  await connection
    .insertInto('mail_templates')
    .values({ hash: name, content })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return name
}

const composers = new Map<string, Promise<ComposeStarterEmail>>()

/** Finds and prepares a template once, for all its mails. */
export function composerOf(connection: Connection, name: string): Promise<ComposeStarterEmail> {
  const composer = composers.get(name) ?? findTemplate(connection, name).then(prepareStarterEmail)
  composers.set(name, composer)
  composer.catch(() => composers.delete(name))
  return composer
}

async function findTemplate(connection: Connection, name: string): Promise<StarterEmailTemplate> {
  const row = await connection
    .selectFrom('mail_templates')
    .select('content')
    .where('hash', '=', name)
    .executeTakeFirstOrThrow()
  return JSON.parse(row.content)
}
