import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { writeSetting } from '../database/settings.ts'
import { addDailyCount } from '../statistics/daily-counts.ts'

/** Set until maintenance has cleared the database's files: when somebody was last erased. */
export const erasedUncleared = 'erased-uncleared'

/**
 * Deletes everything about a subscriber but the count, and the number, by which a restored backup
 * leaves them out; foreign keys delete deliveries and the test address. Maintenance clears the
 * database's files within the hour. False: there was nobody.
 */
export async function eraseSubscriber(
  transaction: Transaction,
  id: number,
  now: number,
): Promise<boolean> {
  if ((await transaction.run(sql`delete from subscribers where id = ${id}`)) === 0) return false
  await transaction.run(sql`insert into erased_subscribers (id) values (${id})`)
  await addDailyCount(transaction, 'erased', now)
  await transaction.run(sql`
    insert into settings (name, value) values ('erased', '1')
    on conflict (name) do update set value = cast(cast(settings.value as bigint) + 1 as text)`)
  await writeSetting(transaction, erasedUncleared, String(now))
  return true
}
