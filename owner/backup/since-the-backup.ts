import type { DatabaseSync } from 'node:sqlite'

/** Each restore adds the number of the newest delivery in its backup. */
const restores = 'restores'

/**
 * Brings the restored rows, attached as `restored`, up to the database that they replace (`main`): who of them left, was erased,
 * blocked or corrected, and which mail was sent. The rows about these people are taken whole, so nothing here follows their
 * columns. Returns how many people were erased. Undefined: the database does not continue the backup, and tells nothing.
 */
export function applyReplaced(main: DatabaseSync): { erased: number } | undefined {
  const after = newestDelivery(main, 'restored')
  const chain = readRestores(main, 'main')
  if (!continues(main, chain)) return undefined
  main.exec(`
    begin;
    create temp table stays as select id from restored.subscribers where id in (select id from main.subscribers)`)
  const { erased } = main
    .prepare('select (select count(*) from restored.subscribers) - (select count(*) from stays) as erased')
    .get()!
  const ofPeople = { subscribers: 'id', deliveries: 'subscriber', webhook_told: 'subscriber' }
  for (const [table, person] of Object.entries(ofPeople)) take(main, table, `where ${person} in stays`)
  for (const table of [
    'mail_templates',
    'wordings',
    'announcements',
    'settings',
    'webhook_events',
    'sqlite_sequence',
  ])
    take(main, table)
  rememberRestore(main, 'restored', [...chain, after])
  // Deleted rows leave traces in a file until it is rewritten.
  main.exec('commit; drop table stays; vacuum restored')
  return { erased: Number(erased) }
}

function take(main: DatabaseSync, table: string, where = ''): void {
  main.exec(
    `delete from restored.${table}; insert into restored.${table} select * from main.${table} ${where}`,
  )
}

/**
 * True if the database (`main`) goes on from the backup: it comes from the same first start, has the same tables, has at least
 * as many deliveries, none of which is another one, and was not itself restored from an older backup. One that does not go on
 * from it lacks people of the backup, who must not look erased.
 */
function continues(main: DatabaseSync, chain: readonly number[]): boolean {
  const setting = (schema: string) => `(select value from ${schema}.settings where name = 'secret')`
  const row = main
    .prepare(
      `select ${setting('main')} is ${setting('restored')}
        and not exists (select name from main.migrations except select name from restored.migrations)
        and not exists (select name from restored.migrations except select name from main.migrations)
        and not exists (select 1 from main.deliveries now join restored.deliveries old using (id)
          where old.message_id <> now.message_id) as isSame`,
    )
    .get()
  const newest = newestDelivery(main, 'restored')
  const next = chain[readRestores(main, 'restored').length] ?? newest
  return row?.['isSame'] === 1 && newestDelivery(main, 'main') >= newest && next >= newest
}

function newestDelivery(file: DatabaseSync, schema: string): number {
  const row = file.prepare(`select seq from ${schema}.sqlite_sequence where name = 'deliveries'`).get()
  return Number(row?.['seq'] ?? 0)
}

function readRestores(file: DatabaseSync, schema: string): number[] {
  const row = file.prepare(`select value from ${schema}.settings where name = ?`).get(restores)
  return row ? JSON.parse(String(row['value'])) : [] // as rememberRestore wrote it
}

function rememberRestore(file: DatabaseSync, schema: string, chain: readonly number[]): void {
  file.prepare(`insert or replace into ${schema}.settings values (?, ?)`).run(restores, JSON.stringify(chain))
}

/**
 * Holds unsent mail, which may have been sent since: it goes out when the owner says so. Announcements under way end, because
 * the rest of their audience may have been mailed. Returns how many mails are held.
 */
export function holdUnsent(restored: DatabaseSync, now: number): number {
  const unsent = "state in ('queued', 'sending')"
  restored.exec(`
    begin;
    update announcements set state = 'cancelled', ended_at = ${now} where state in ('running', 'paused');
    update deliveries set state = 'cancelled', finished_at = ${now}, worker = null
      where announcement is not null and (${unsent} or state = 'held')`)
  const { changes } = restored
    .prepare(`update deliveries set state = 'held', worker = null where ${unsent}`)
    .run()
  rememberRestore(restored, 'main', [...readRestores(restored, 'main'), newestDelivery(restored, 'main')])
  restored.exec('commit')
  return Number(changes)
}
