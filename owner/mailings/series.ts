import sql from 'sql-template-tag'
import { series, seriesDays } from '#content/mail/series.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import { addMailing, type Mailing } from './mailings.ts'

/** The setting that says that the product's letters were added once. */
const added = 'series-added'

/** Adds the product's letters of the series as drafts, at the first start of a database. */
export function addSeries(database: Database, now: number): Promise<void> {
  return database.transaction(async (transaction) => {
    await transaction.lock('series')
    if ((await readSetting(transaction, added)) !== undefined) return
    for (const [key, { subject, preview, text: words }] of Object.entries(series)) {
      const afterDays = seriesDays[key as keyof typeof seriesDays] // the keys of `series`
      await addMailing(transaction, { subject, preview, words, afterDays }, now)
    }
    await writeSetting(transaction, added, String(now))
  })
}

/**
 * Moves a letter's place in the list past everybody whose day for it lies before now. They passed
 * it while it was off, or before it had this day, and never get it.
 */
export async function skipPeoplePastDay(
  transaction: Transaction,
  { id, afterDays }: Pick<Mailing, 'id' | 'afterDays'>,
  now: number,
): Promise<void> {
  const passed = now - afterDays! * dayMs
  await transaction.run(sql`
    update mailings set cursor_at = ${passed}, cursor_id = ${Number.MAX_SAFE_INTEGER}
    where id = ${id} and cursor_at < ${passed}`)
}

/**
 * Counts the people who would miss a letter of the series if its day became this one: they have not
 * had it, and the new day has passed for them already.
 */
export async function countMissing(
  reader: Reader,
  { id, afterDays }: Pick<Mailing, 'id' | 'afterDays'>,
  newDays: number,
  now: number,
): Promise<number> {
  const row = await reader.row<{ count: number }>(sql`
    select count(*) as count from subscribers s
    where s.series_from > ${now - afterDays! * dayMs} and s.series_from <= ${now - newDays * dayMs}
      and s.state = 'active' and s.announcements_agreed_at is not null
      and not exists (
        select 1 from deliveries d where d.mailing = ${id} and d.subscriber = s.id)`)
  return row!.count
}
