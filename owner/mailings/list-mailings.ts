import sql from 'sql-template-tag'
import type { KitRelease } from '#content/releases.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Reader } from '#server/database/database.ts'
import { type Mailing, readMailings, titleOf } from './mailings.ts'

/** A mailing in a list, without its text. */
export interface ListedMailing extends Omit<Mailing, 'words' | 'preview'> {
  title: string
}

/** The newest first; letters of the series by their day. */
export async function listMailings(reader: Reader): Promise<ListedMailing[]> {
  const all = await readMailings(reader, sql`order by after_days, id desc`)
  return all.map(({ words: _words, preview: _preview, ...mailing }) => ({
    ...mailing,
    title: titleOf(mailing),
  }))
}

/** The mailing that goes out once and is on its way or has paused; the newest. */
export async function readUnderWay(reader: Reader): Promise<ListedMailing | undefined> {
  const [mailing] = await readMailings(
    reader,
    sql`where state in ('scheduled', 'sending', 'paused') and after_days is null
      order by id desc limit 1`,
  )
  return mailing && { ...mailing, title: titleOf(mailing) }
}

/** True if there is a version to tell about: somebody has an older one, and no letter told yet. */
export async function isVersionToTell(
  reader: Reader,
  releases: readonly KitRelease[],
): Promise<boolean> {
  const [newest, before] = releases
  if (!newest || !before) return false
  const told = await reader.row(sql`
    select 1 from mailings where version = ${newest.version} and state <> 'cancelled' limit 1`)
  if (told) return false
  const withoutIt = await reader.row(sql`
    select 1 from subscribers s
    where state = 'active' and signed_up_at < ${Date.parse(newest.date) + dayMs}
      and not exists (select 1 from deliveries d where d.subscriber = s.id
        and d.mailing is null and d.release = ${newest.version})
    limit 1`)
  return withoutIt !== undefined
}
