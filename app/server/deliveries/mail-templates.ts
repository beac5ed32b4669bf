import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Connection, contentHash, newestId } from '../database/database.ts'
import {
  type ComposeStarterEmail,
  prepareStarterEmail,
  type StarterEmailTemplate,
} from '#mail/compose-starter-email.ts'

const batchSize = 5_000

/**
 * Stores everything needed to write a mail, under its hash: a delivery retried after an update of the product sends the
 * same bytes.
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

/** Keeps a template that a running server uses from being dropped while no delivery needs it. */
export async function holdTemplate(connection: Connection, name: string, until: number): Promise<void> {
  await connection.updateTable('mail_templates').set({ held_until: until }).where('hash', '=', name).execute()
}

/** Drops the templates of servers that are gone, once no delivery needs them any more. */
export async function dropUnusedTemplates(connection: Connection, now: number): Promise<void> {
  const expired = await connection
    .selectFrom('mail_templates')
    .select('hash')
    .where('held_until', '<', now)
    .execute()
  for (const { hash: name } of expired) {
    if (await isUsed(connection, name)) continue
    await connection
      .deleteFrom('mail_templates')
      .where('hash', '=', name)
      .where('held_until', '<', now) // the foreign key keeps one that has been used since
      .execute()
  }
}

/** In batches, since no index leads from a template to its deliveries: one would cost every sign-up. */
async function isUsed(connection: Connection, template: string): Promise<boolean> {
  const newest = await newestId(connection, 'deliveries')
  for (let after = 0; after < newest; after += batchSize) {
    const { rows } = await sql`
      select 1 from deliveries where id > ${after} and id <= ${after + batchSize} and template = ${template}
      limit 1`.execute(connection)
    if (rows.length > 0) return true
    await nextTurn()
  }
  return false
}
