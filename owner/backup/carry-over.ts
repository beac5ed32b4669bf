import type { DatabaseSync } from 'node:sqlite'
import { settingNames } from '#server/database/settings.ts'

/** The recorded fault of deliveries that were unsent in a backup and may have been sent since. */
export const unsentAtBackup = 'owed when the backup was made; may have been sent since'

const unsent = "('queued', 'sending')"
const { secret, history, unopenedCountedSince: countedSince } = settingNames
/** Settings of the replaced database, which replace those of the backup. */
const carriedOver = [
  settingNames.erased,
  countedSince,
  settingNames.weeklyReport,
  settingNames.alarm,
  settingNames.stormMode,
  history,
]

/**
 * Returns true if the database (`main`) continues the one attached as `backup`: it comes from the same first start, has at least
 * as many deliveries, was not replaced by an older backup since (see failUnsent), and no number means different deliveries in
 * the two. A database that does not continue the backup lacks people of it, who must not look erased.
 */
export function continuesBackup(main: DatabaseSync): boolean {
  const row = main
    .prepare(
      `select
        (select value from main.settings where name = '${secret}')
          is (select value from backup.settings where name = '${secret}') as sameStart,
        coalesce((select seq from main.sqlite_sequence where name = 'deliveries'), 0)
          >= coalesce((select seq from backup.sqlite_sequence where name = 'deliveries'), 0) as isAsFar,
        (select now = old or (substr(now, 1, length(old)) = old
            and cast(substr(now, length(old) + 1) as integer)
              >= coalesce((select seq from backup.sqlite_sequence where name = 'deliveries'), 0))
          from (select
            coalesce((select value from main.settings where name = '${history}'), '') as now,
            coalesce((select value from backup.settings where name = '${history}'), '') as old)) as sameHistory,
        exists (
          select 1 from main.deliveries now join backup.deliveries old on old.id = now.id
          where old.message_id <> now.message_id
        ) as parted`,
    )
    .get()
  return row?.['sameStart'] === 1 && row['isAsFar'] === 1 && row['sameHistory'] === 1 && row['parted'] === 0
}

/**
 * Updates the people in the database attached as `backup`: sent mail stays sent, people who left stay away, personal pages
 * keep their links, and erased people are removed. Returns how many were removed.
 */
export function carryOver(main: DatabaseSync): { erased: number } {
  main.exec(`begin; ${correctAddresses}`)
  // Their deliveries are deleted with them. The identity is compared too, because a number can be another person's by now.
  const { changes } = main
    .prepare(
      `delete from backup.subscribers as old where not exists (
        select 1 from main.subscribers now where now.id = old.id and now.identity = old.identity)`,
    )
    .run()
  const hasColumn = main.prepare("select 1 from pragma_table_info(?, 'main') where name = ?")
  for (const [table, column, update] of updates) if (hasColumn.get(table, column)) main.exec(update)
  main.exec('commit')
  // Deleted rows leave traces in a file until it is rewritten.
  if (changes > 0) main.exec('vacuum backup')
  return { erased: Number(changes) }
}

/** A delivery keeps its number and its Message-ID, so it shows that a person with another address is the same one. */
const correctAddresses = `
  update backup.subscribers as old
    set identity = now.identity, address = now.address, abuse_key = now.abuse_key, token = now.token, state = now.state
    from main.subscribers now where now.id = old.id and now.identity <> old.identity and exists (
      select 1 from backup.deliveries join main.deliveries using (id, message_id, subscriber) where subscriber = old.id)`

/** Each update runs only if `main` has its column, which an older database may lack. The backup has all of them. */
const updates: readonly [table: string, column: string, update: string][] = [
  [
    'deliveries',
    'id',
    `delete from backup.deliveries where id not in (select id from main.deliveries);
    update backup.deliveries as old
      set state = now.state, finished_at = now.finished_at, failures = now.failures, last_fault = now.last_fault
      from main.deliveries now
      where now.id = old.id and old.state <> 'sent' and now.state in ('sent', 'failed', 'cancelled');
    update backup.subscribers as old
      set state = case now.state when 'active' then old.state else now.state end,
        token = coalesce(now.token, old.token), opened_at = coalesce(old.opened_at, now.opened_at),
        last_mailed_at = max(old.last_mailed_at, now.last_mailed_at)
      from main.subscribers now where now.id = old.id;
    -- After a failed mail, a newer sign-up's mail is not in the backup. This state lets the next sign-up send one.
    update backup.subscribers as old set state = 'undeliverable' where state = 'active' and 'failed' = (
      select d.state from backup.deliveries d where d.subscriber = old.id order by d.id desc limit 1);
    delete from backup.settings where name = '${countedSince}';
    insert or replace into backup.settings
      select * from main.settings where name in ('${carriedOver.join("', '")}')`,
  ],
  [
    'blocked_addresses',
    'hash',
    // The current blocks replace those of the backup.
    `delete from backup.blocked_addresses;
    insert into backup.blocked_addresses select * from main.blocked_addresses`,
  ],
  [
    'webhook_events',
    'id',
    // Events of people who signed up since keep only the number, which another person may get.
    `delete from backup.webhook_events;
    insert into backup.webhook_events select * from main.webhook_events;
    update backup.webhook_events set tells = 'number' where subscriber not in (select id from backup.subscribers)`,
  ],
  [
    'subscribers',
    'announcements_agreed_at',
    `update backup.subscribers as old
      set announcements_agreed_at = now.announcements_agreed_at, announcements_wording = now.announcements_wording,
        announcements_refused_at = now.announcements_refused_at
      from main.subscribers now where now.id = old.id`,
  ],
  [
    'deliveries',
    'announcement',
    // Announcements begun since the backup too, so that nobody gets one a second time.
    `insert or ignore into backup.mail_templates
      select * from main.mail_templates where hash in (select template from main.announcements
        union select template from main.deliveries where announcement is not null);
    insert or replace into backup.announcements select * from main.announcements;
    insert or ignore into backup.deliveries
      select * from main.deliveries where announcement is not null and subscriber in (select id from backup.subscribers)`,
  ],
]

/**
 * Marks unsent mail as failed: it may have been sent since, so it goes out only when the owner or the subscriber asks for it.
 * Openings count from now on, because maintenance would otherwise erase people who opened their page since.
 */
export function failUnsent(backup: DatabaseSync, now: number): void {
  backup.exec(`
    begin;
    update subscribers set state = 'undeliverable' where state = 'active'
      and id in (select subscriber from deliveries where state in ${unsent} and announcement is null);
    -- The rest of their audience may have been mailed since.
    update announcements set state = 'cancelled', is_queued = 1 where state in ('running', 'paused');
    update deliveries set state = 'cancelled', finished_at = ${now} where state in ${unsent} and announcement is not null;
    update deliveries set state = 'failed', finished_at = ${now}, last_fault = '${unsentAtBackup}' where state in ${unsent};
    update settings set value = '${now}' where name = '${countedSince}';
    insert into settings values ('${settingNames.lossyRestore}', '${now}')
      on conflict (name) do update set value = excluded.value;
    -- From this number on, the database differs from the one that the backup was made of, and from its newer backups.
    insert into settings
      select '${history}', coalesce((select seq from sqlite_sequence where name = 'deliveries'), 0)
        || ':' || hex(randomblob(8)) || ' ' where true
      on conflict (name) do update set value = settings.value || excluded.value;
    commit`)
}

export function countUnsent(backup: DatabaseSync, schema: 'main' | 'backup'): number {
  return Number(
    backup.prepare(`select count(*) as n from ${schema}.deliveries where state in ${unsent}`).get()?.['n'],
  )
}
