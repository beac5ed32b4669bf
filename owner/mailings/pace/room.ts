import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import type { Announcement } from '../announcements.ts'
import { readSample, type Sample } from './sample.ts'
import { hourMs, mailsInHour, type SitePace } from './slow-start.ts'

/** Few enough to be held soon by a pause, and more than a relay takes between two runs. */
const maxUnsent = 500
/** Longer than a lease. Mail that is due later was put off by its recipient. */
const soonMs = 60_000
/** Longer than an outcome takes to be committed. */
const settledMs = 10_000

type Paced = Pick<Announcement, 'id' | 'resumedAt'>

/**
 * The figures that are read beside visitors before some pages are released: the cost of reading
 * them grows with the mails that were sent. Times are ms since 1970.
 */
export interface PaceSoFar {
  /** The rest holds only while the announcement was last resumed at this moment. */
  resumedAt: number
  sample: Sample
  /** The beginning of the hour. */
  since: number
  /** Outcomes before it do not change any more. */
  settledAt: number
  /** Mails of the hour that were finished before that. */
  settled: number
}

/** `reader`: the owner's. */
export async function readPaceSoFar(
  reader: Reader,
  { id, resumedAt }: Paced,
  now: number,
): Promise<PaceSoFar> {
  const since = hourOf(resumedAt, now)
  const settledAt = Math.max(since, now - settledMs)
  const sample = await readSample(reader, { id, resumedAt })
  const row = await reader.row<{ count: number }>(sql`
    select count(*) as count from deliveries
    where announcement = ${id} and state in ('sent', 'failed')
      and finished_at >= ${since} and finished_at < ${settledAt}`)
  return { resumedAt, sample, since, settledAt, settled: row!.count }
}

/**
 * Returns how many mails may be queued now. Mail of an earlier hour counts in the hour in which it
 * is sent.
 */
export async function readRoom(
  reader: Reader,
  announcement: Paced & SitePace,
  soFar: PaceSoFar,
  now: number,
): Promise<number> {
  const { id, resumedAt } = announcement
  const since = hourOf(resumedAt, now)
  const isSameHour = soFar.since === since
  const countedFrom = isSameHour ? soFar.settledAt : since
  const counts = await reader.row<{ finished: number; unsent: number; putOff: number }>(sql`
    select
      count(case when due_at <= ${now + soonMs} then 1 end) as "unsent",
      count(case when due_at > ${now + soonMs} and queued_at >= ${since} then 1 end) as "putOff",
      (select count(*) from deliveries
        where announcement = ${id} and state in ('sent', 'failed') and finished_at >= ${countedFrom}
      ) as "finished"
    from deliveries where announcement = ${id} and state in ('queued', 'sending')`)
  const { finished, unsent, putOff } = counts!
  const used = (isSameHour ? soFar.settled : 0) + finished + unsent + putOff
  const hour = Math.floor((now - resumedAt) / hourMs)
  return Math.min(mailsInHour(hour, announcement) - used, maxUnsent - unsent)
}

/** Hours count from the start of the announcement, or from its last pause. */
function hourOf(resumedAt: number, now: number): number {
  return resumedAt + Math.floor((now - resumedAt) / hourMs) * hourMs
}
