import type { DatabaseSync } from 'node:sqlite'

/** Why a delivery has failed that was in a backup, and nobody can tell what became of it. */
export const owedThen = 'owed when the backup was made; may have been sent since'

const owed = "('queued', 'sending')"
/** Of settings: since when openings are noted (server/maintenance.ts). */
const countedSince = 'unopened-counted-since'

/**
 * Whether the database (`main`) went on from the one attached as `backup`: made by the same first start, as far on or
 * further, with no older backup put in its place since (see failOwed), and no delivery of either is another one in the
 * other. A new database begun elsewhere, or an older backup put in place before, knows nothing of who is in this one, and
 * must not look as if they had been erased.
 */
export function goesOnFrom(main: DatabaseSync): boolean {
  const row = main
    .prepare(
      `select
        (select value from main.settings where name = 'secret')
          is (select value from backup.settings where name = 'secret') as sameStart,
        coalesce((select seq from main.sqlite_sequence where name = 'deliveries'), 0)
          >= coalesce((select seq from backup.sqlite_sequence where name = 'deliveries'), 0) as isAsFar,
        (select now = old or (substr(now, 1, length(old)) = old
            and cast(substr(now, length(old) + 1) as integer)
              >= coalesce((select seq from backup.sqlite_sequence where name = 'deliveries'), 0))
          from (select
            coalesce((select value from main.settings where name = 'history'), '') as now,
            coalesce((select value from backup.settings where name = 'history'), '') as old)) as sameHistory,
        exists (
          select 1 from main.deliveries now join backup.deliveries old on old.id = now.id
          where old.message_id <> now.message_id
        ) as parted`,
    )
    .get()
  return row?.['sameStart'] === 1 && row['isAsFar'] === 1 && row['sameHistory'] === 1 && row['parted'] === 0
}

/**
 * Into the one attached as `backup`, for those who are in it: what was sent is sent, who left has left, whose page was
 * made or opened keeps it, who was erased is gone. Returns how many those are.
 */
export function carryOver(main: DatabaseSync): { erased: number } {
  main.exec('begin')
  // Their deliveries go with them. A number may be somebody else's since; number and address are the same person's.
  const { changes } = main
    .prepare(
      `delete from backup.subscribers as old where not exists (
        select 1 from main.subscribers now where now.id = old.id and now.identity = old.identity)`,
    )
    .run()
  main.exec(`
    delete from backup.deliveries where id not in (select id from main.deliveries);
    update backup.deliveries as old
      set state = now.state, finished_at = now.finished_at, failures = now.failures, last_fault = now.last_fault
      from main.deliveries now
      where now.id = old.id and old.state <> 'sent' and now.state in ('sent', 'failed', 'cancelled');
    update backup.subscribers as old
      set state = case now.state when 'active' then old.state else now.state end,
        token = coalesce(now.token, old.token), opened_at = coalesce(old.opened_at, now.opened_at),
        last_mailed_at = max(old.last_mailed_at, now.last_mailed_at)
      from main.subscribers now where now.id = old.id;
    -- Who signed up anew since, after a mail that failed: the new mail is not in the backup, so a sign-up has to bring one.
    update backup.subscribers as old set state = 'undeliverable' where state = 'active' and 'failed' = (
      select d.state from backup.deliveries d where d.subscriber = old.id order by d.id desc limit 1);
    delete from backup.settings where name = '${countedSince}';
    insert or replace into backup.settings
      select * from main.settings where name in ('erased', '${countedSince}', 'postcard', 'alarm', 'history');
    commit`)
  // Erased rows leave traces in a file until it is written anew.
  if (changes > 0) main.exec('vacuum backup')
  return { erased: Number(changes) }
}

/**
 * Nobody can tell what was sent since: what was owed goes out only when the owner, or the subscriber, asks for it. Nor who
 * opened their page: openings count from now on, else maintenance would erase who did.
 */
export function failOwed(backup: DatabaseSync, now: number): void {
  backup.exec(`
    begin;
    update subscribers set state = 'undeliverable' where state = 'active'
      and id in (select subscriber from deliveries where state in ${owed});
    update deliveries set state = 'failed', finished_at = ${now}, last_fault = '${owedThen}' where state in ${owed};
    update settings set value = '${now}' where name = '${countedSince}';
    -- From this number on it is another one than the database that the backup was made of, and its newer backups.
    insert into settings
      select 'history', coalesce((select seq from sqlite_sequence where name = 'deliveries'), 0)
        || ':' || hex(randomblob(8)) || ' ' where true
      on conflict (name) do update set value = settings.value || excluded.value;
    commit`)
}

export function countOwed(backup: DatabaseSync, schema: 'main' | 'backup'): number {
  return Number(
    backup.prepare(`select count(*) as n from ${schema}.deliveries where state in ${owed}`).get()?.['n'],
  )
}
