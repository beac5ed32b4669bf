import type { DatabaseSync } from 'node:sqlite'
import { countOf } from './sqlite-files.ts'

/**
 * The tables that the replaced database knows better, and which of their rows. `stays`: who is in
 * both databases.
 */
const taken = {
  subscribers: 'where id in stays',
  deliveries: 'where subscriber in stays',
  webhook_told: 'where subscriber in stays',
  mail_templates: '',
  wordings: '',
  announcements: '',
  settings: '',
  webhook_events: '',
  sqlite_sequence: '',
}

/**
 * Brings the restored rows, attached as `restored`, up to the database that they replace (`main`):
 * who of them left, was erased, blocked or corrected, and which mail was sent. The rows about these
 * people are taken whole, so nothing here follows their columns. Returns how many people were
 * erased, and how many mails are unsent. Undefined: the database does not continue the backup, and
 * tells nothing.
 */
export function applyReplaced(main: DatabaseSync) {
  const newest = countOf(main, newestDelivery('restored'))
  if (countOf(main, continuesBackup) === 0) return undefined
  main.exec(`
    begin;
    create temp table stays as select id from restored.subscribers where id in (select id from main.subscribers)`)
  const erased = countOf(
    main,
    '(select count(*) from restored.subscribers) - (select count(*) from stays)',
  )
  for (const [table, which] of Object.entries(taken)) {
    main.exec(`
      delete from restored.${table};
      insert into restored.${table} select * from main.${table} ${which}`)
  }
  addRestore(main, 'restored', newest)
  // Deleted rows leave traces in a file until it is rewritten.
  main.exec('commit; vacuum restored')
  const unsent = "select count(*) from restored.deliveries where state in ('queued', 'sending')"
  return { erased, unsent: countOf(main, `(${unsent})`) }
}

function newestDelivery(schema: string): string {
  return `coalesce((select seq from ${schema}.sqlite_sequence where name = 'deliveries'), 0)`
}

/** For each restore the number of the newest delivery in its backup, as JSON. */
function restoresOf(schema: string): string {
  return `coalesce((select value from ${schema}.settings where name = 'restores'), '[]')`
}

function addRestore(file: DatabaseSync, schema: string, newest: number | string): void {
  file.exec(`
    insert or replace into ${schema}.settings
    values ('restores', json_insert(${restoresOf(schema)}, '$[#]', ${newest}))`)
}

/**
 * True if the database (`main`) goes on from the backup: it comes from the same first start, has
 * the same tables, has at least as many deliveries, none of which is another one, and was not
 * itself restored from an older backup since. One that does not go on from it lacks people of the
 * backup, who must not look erased.
 */
const continuesBackup = `
  (select value from main.settings where name = 'secret') is (select value from restored.settings where name = 'secret')
  and (select count(*) from main.migrations) = (select count(*) from restored.migrations)
  and not exists (select 1 from main.deliveries now join restored.deliveries old using (id)
    where old.message_id <> now.message_id)
  and ${newestDelivery('main')} >= ${newestDelivery('restored')}
  and not exists (select 1 from json_each(${restoresOf('main')})
    where key >= json_array_length(${restoresOf('restored')}) and value < ${newestDelivery('restored')})`

/**
 * Holds unsent mail, which may have been sent since: it goes out when the owner says so.
 * Announcements under way end, because the rest of their audience may have been mailed. Returns how
 * many mails are held.
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
  addRestore(restored, 'main', newestDelivery('main'))
  restored.exec('commit')
  return Number(changes)
}
