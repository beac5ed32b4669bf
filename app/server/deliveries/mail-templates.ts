import { hash } from 'node:crypto'
import type { Connection } from '../database/json-rows.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'

/**
 * Keeps all it takes to write a mail, under the hash of it: a delivery tried again after an update of the product sends
 * the bytes it was going to send.
 */
export async function keepTemplate(connection: Connection, template: StarterEmailTemplate): Promise<string> {
  const content = JSON.stringify(template)
  const name = hash('sha256', content, 'base64url')
  await connection
    .insertInto('mail_templates')
    .values({ hash: name, content })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return name
}

export async function findTemplate(connection: Connection, name: string): Promise<StarterEmailTemplate> {
  const row = await connection
    .selectFrom('mail_templates')
    .select('content')
    .where('hash', '=', name)
    .executeTakeFirstOrThrow()
  return JSON.parse(row.content)
}

/** Says that a running server goes on using a template, so that it is not dropped although no delivery needs it now. */
export async function holdTemplate(connection: Connection, name: string, until: number): Promise<void> {
  await connection.updateTable('mail_templates').set({ held_until: until }).where('hash', '=', name).execute()
}

/** Those of servers that are gone, once no delivery needs them any more. */
export async function dropUnusedTemplates(connection: Connection, now: number): Promise<void> {
  await connection
    .deleteFrom('mail_templates')
    .where('held_until', '<', now)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('deliveries').select('id').whereRef('template', '=', 'mail_templates.hash'))),
    )
    .execute()
}
