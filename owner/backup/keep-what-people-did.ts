import type { DatabaseSync } from 'node:sqlite'
import { dayMs } from '#server/database/clock.ts'
import { erasedUncleared } from '#server/subscribers/erase-subscriber.ts'
import { countOf } from './sqlite-files.ts'

/** The numbers of what a restore keeps and undoes. */
export interface RestoreReport {
  /** Events of the list since the backup, and mail to people: they are kept. */
  kept: { signedUp: number; imported: number; left: number; erased: number; sent: number }
  /** Other acts of the owner since the backup. */
  undone: {
    /** Versions of the page that were published since. */
    versions: number
    /** Letters that were started since and not finished. They pause. */
    mailings: number
  }
  /** Mails that the server sends once it is started. */
  unsent: number
}

/**
 * The tables of the list and of the mail to it, and what names a row in each. All else stays as the
 * backup has it. Jobs belong to the list: so an import since the backup can still be undone.
 */
const peoplesTables: Record<string, string> = {
  subscribers: 'id',
  erased_subscribers: 'id',
  deliveries: 'id',
  mailings: 'id',
  mailing_hours: 'hour',
  mail_templates: 'hash',
  letter_pictures: 'name',
  wordings: 'hash',
  limits: 'name',
  networks: 'network',
  mail_minutes: 'minute',
  relay: 'id',
  daily_counts: 'day, event, detail',
  webhook_events: 'id',
  webhook_told: 'subscriber',
  taken_off: 'subscriber',
  owner_jobs: 'id',
  owner_job_pieces: 'job, number',
  imported_people: 'subscriber',
  desk_audit: 'id',
}

/** Settings that the program notes for itself. The others are as in the backup. */
const isNote = `(name in ('erased', '${erasedUncleared}', 'open-conditions')
  or name like 'owner-mail %')`

/**
 * True if the replaced database (`main`) tells what happened since the backup (`restored`): both
 * come from the same first start, and no number stands for two mails in them.
 */
export function isSameSite(file: DatabaseSync): boolean {
  const isSame = `
    (select value from main.settings where name = 'secret')
      is (select value from restored.settings where name = 'secret')
    and not exists (select 1 from main.deliveries now join restored.deliveries old using (id)
      where old.message_id <> now.message_id)
`
  return countOf(file, isSame) === 1
}

/**
 * Brings the list as it is now into the restored database. Attached are `backup`, as it was made,
 * and `restored`, which begins as the backup with its unsent mail held; `main` is the database that
 * it replaces. Rows of `main` take the place of the backup's.
 */
export function keepWhatPeopleDid(file: DatabaseSync): RestoreReport {
  file.exec('begin')
  for (const [table, key] of Object.entries(peoplesTables)) takeRows(file, table, key)
  takeNotes(file)
  keepNumbers(file)
  keepWhatWasSent(file)
  keepWhoLeft(file)
  const mailings = pauseNewMailings(file)
  removeOrphans(file)
  const report = {
    kept: countKept(file),
    undone: {
      versions: countOf(
        file,
        `(select count(*) from main.page_versions where state = 'published'
          and id not in (select id from backup.page_versions where state = 'published'))`,
      ),
      mailings,
    },
    unsent: countOf(
      file,
      "(select count(*) from restored.deliveries where state in ('queued', 'sending'))",
    ),
  }
  file.exec('commit')
  return report
}

/** Someone of the backup may have been erased and have signed up again, under another number. */
function takeRows(file: DatabaseSync, table: string, key: string): void {
  const columns = columnsOf(file, table)
  const isSamePerson =
    table === 'subscribers' ? 'or identity in (select identity from main.subscribers)' : ''
  file.exec(`
    delete from restored.${table}
      where (${key}) in (select ${key} from main.${table}) ${isSamePerson};
    insert into restored.${table} (${columns}) select ${columns} from main.${table}`)
}

/** The order of the columns may differ: a migration adds its own at the end. */
function columnsOf(file: DatabaseSync, table: string): string {
  const rows = file.prepare(`select name from pragma_table_info('${table}', 'main')`).all()
  return rows.map(({ name }) => String(name)).join(', ')
}

function takeNotes(file: DatabaseSync): void {
  file.exec(`
    delete from restored.settings where ${isNote};
    insert into restored.settings select * from main.settings where ${isNote}`)
}

/** A number that was given since is not given again, also if its row is gone. */
function keepNumbers(file: DatabaseSync): void {
  file.exec(`
    delete from restored.sqlite_sequence;
    insert into restored.sqlite_sequence (name, seq)
      select name, max(seq) from (
        select name, seq from main.sqlite_sequence
        union all select name, seq from backup.sqlite_sequence
      ) as numbers group by name`)
}

/**
 * A mail that was sent stays sent, also if the replaced database comes from an older backup and
 * does not know it. An event that it no longer has was delivered.
 */
function keepWhatWasSent(file: DatabaseSync): void {
  file.exec(`
    update restored.deliveries as d
    set state = 'sent', worker = null,
      finished_at = (select b.finished_at from backup.deliveries b where b.id = d.id)
    where d.state <> 'sent'
      and d.id in (select b.id from backup.deliveries b where b.state = 'sent');
    delete from restored.webhook_events
    where state = 'queued' and id not in (select id from main.webhook_events)`)
}

/** The columns that tell if somebody is on the list, and agrees to what. */
const standing = `state, left_at, announcements_agreed_at, announcements_refused_at,
  announcements_wording, series_from`

/**
 * Erased people are removed. If another restore came between, the replaced database may come from
 * an older backup: whoever has left by this backup, and has not signed up since, stays away.
 */
function keepWhoLeft(file: DatabaseSync): void {
  file.exec(`
    delete from restored.subscribers where id in (select id from restored.erased_subscribers);
    update restored.subscribers as s
    set (${standing}) = (select ${standing} from backup.subscribers b where b.id = s.id)
    where s.state = 'active'
      and exists (select 1 from backup.subscribers b
        where b.id = s.id and b.state <> 'active' and b.left_at >= s.signed_up_at)
      and (select value from main.settings where name = '${lastRestore}')
        is not (select value from backup.settings where name = '${lastRestore}')`)
}

/** The owner ends or resumes them. */
function pauseNewMailings(file: DatabaseSync): number {
  const isNew = 'id not in (select id from backup.mailings)'
  const { changes } = file
    .prepare(
      `update restored.mailings set state = 'paused', paused_why = 'a backup was restored'
      where state in ('scheduled', 'sending') and ${isNew}`,
    )
    .run()
  file.exec(`
    update restored.deliveries set state = 'held', worker = null
    where state = 'queued' and mailing in (
      select id from restored.mailings where state = 'paused' and ${isNew})`)
  return Number(changes)
}

/** Foreign keys are off meanwhile: a table may be filled before the one that it refers to. */
function removeOrphans(file: DatabaseSync): void {
  for (const table of ['deliveries', 'webhook_told', 'taken_off', 'imported_people']) {
    file.exec(`
      delete from restored.${table} where subscriber not in (select id from restored.subscribers)`)
  }
}

function countKept(file: DatabaseSync): RestoreReport['kept'] {
  const count = (rows: string) => countOf(file, `(select count(*) from ${rows})`)
  const isNew = 'id not in (select id from backup.subscribers)'
  return {
    signedUp: count(`restored.subscribers where form is not null and ${isNew}`),
    imported: count(`restored.subscribers where form is null and ${isNew}`),
    left: count(`restored.subscribers s join backup.subscribers b on b.id = s.id
      where b.state = 'active' and s.state <> 'active'`),
    erased: count('backup.subscribers where id in (select id from main.erased_subscribers)'),
    sent: count(`restored.deliveries d left join backup.deliveries b on b.id = d.id
      where d.state = 'sent' and b.state is not 'sent'`),
  }
}

/** The setting that says when the last restore was, in ms since 1970. */
const lastRestore = 'restored-at'

/**
 * Holds unsent mail, which may have been sent since: it goes out when the owner says so.
 * Letters under way end, because the rest of their audience may have been mailed. Returns how
 * many mails are held.
 */
export function holdUnsent(restored: DatabaseSync, now: number): number {
  const unsent = "state in ('queued', 'sending')"
  restored.exec(`
    begin;
    insert or replace into settings values ('${lastRestore}', '${now}');
    update mailings set state = 'cancelled', ended_at = ${now},
        paused_why = 'a backup was restored'
      where state in ('scheduled', 'sending', 'paused') and after_days is null;
    update mailings set cursor_at = max(cursor_at, ${now} - after_days * ${dayMs}),
        cursor_id = ${Number.MAX_SAFE_INTEGER}
      where after_days is not null;
    update deliveries set state = 'cancelled', finished_at = ${now}, worker = null
      where mailing is not null and (${unsent} or state = 'held')`)
  const { changes } = restored
    .prepare(`update deliveries set state = 'held', worker = null where ${unsent}`)
    .run()
  restored.exec('commit')
  return Number(changes)
}

const skippedNumbers = 1_000_000

/**
 * Without the replaced database nobody knows which numbers were given since. They stand for people
 * in the receiver's data of a webhook, and in newer backups.
 */
export function skipUnknownNumbers(restored: DatabaseSync): void {
  restored.exec(`update sqlite_sequence set seq = seq + ${skippedNumbers}`)
}
