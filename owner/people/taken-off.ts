import sql, { type Sql } from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { LeftState } from '#server/subscribers/leave-the-list.ts'

/** True if nothing has changed a subscriber `s` since the owner took them off, as `t` says. */
const holds = sql`t.marked_as = s.state and t.marked_at = s.left_at`

/**
 * Keeps what the rows of subscribers say before the owner takes them off the list, so that it can
 * be undone. A former mark of them is over.
 */
export async function keepStanding(
  transaction: Transaction,
  chosen: Sql,
  { state, now }: { state: Exclude<LeftState, 'blocked'>; now: number },
): Promise<void> {
  await transaction.run(sql`
    insert into taken_off (subscriber, marked_at, marked_as, state, left_at,
      announcements_agreed_at, announcements_refused_at, announcements_wording,
      series_from)
    select id, ${now}, ${state}, state, left_at,
      announcements_agreed_at, announcements_refused_at, announcements_wording,
      series_from
    from subscribers where ${chosen}
    on conflict (subscriber) do update set marked_at = excluded.marked_at,
      marked_as = excluded.marked_as, state = excluded.state, left_at = excluded.left_at,
      announcements_agreed_at = excluded.announcements_agreed_at,
      announcements_refused_at = excluded.announcements_refused_at,
      announcements_wording = excluded.announcements_wording,
      series_from = excluded.series_from`)
}

/** True if the owner took somebody off who has done nothing since. A complaint holds for good. */
export async function canPutBack(reader: Reader, id: number): Promise<boolean> {
  const row = await reader.row(sql`
    select 1 from taken_off t join subscribers s on s.id = t.subscriber
    where s.id = ${id} and ${holds}`)
  return row !== undefined
}

/** Gives back what the row said before. Mail that was cancelled stays so. */
export async function putBackStanding(transaction: Transaction, id: number): Promise<void> {
  await transaction.run(sql`
    update subscribers set (state, left_at, announcements_agreed_at, announcements_refused_at,
      announcements_wording, series_from) = (
        select state, left_at, announcements_agreed_at, announcements_refused_at,
          announcements_wording, series_from
        from taken_off where subscriber = ${id})
    where id = ${id}`)
  await transaction.run(sql`delete from taken_off where subscriber = ${id}`)
}
