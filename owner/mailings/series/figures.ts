import sql from 'sql-template-tag'
import type { Content } from '#content/content.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { hourMs } from '../pace/slow-start.ts'
import { defaultLetters, readSeriesRows, type SeriesRow, wordsOf } from './letters.ts'
import { isOfContent, isPausedItself, isSeriesOn } from './series.ts'

export interface ShownSeries {
  isOn: boolean
  /** In the order of their days. */
  letters: ShownLetter[]
}

export interface ShownLetter {
  name: string
  subject: string
  preview: string
  text: string
  afterDays: number
  isOn: boolean
  /** Its words stand in content/, and are changed at the desk's view Page. */
  isOfContent: boolean
  /** Why it has paused itself. Null: it has not. */
  pausedWhy: string | null
  /** Mails that fell due. */
  due: number
  sent: number
  failed: number
  /** People who left, or turned news off, within a day after it. */
  left: number
}

/** The series as the owner sees it. */
export async function readSeries(
  reader: Reader,
  content: Pick<Content, 'series'>,
): Promise<ShownSeries> {
  const all = await readSeriesRows(reader)
  const rows = all.filter(({ state }) => state !== 'cancelled')
  const letters = await Promise.all(rows.map((row) => showRow(reader, row, content)))
  const others = defaultLetters(new Set(all.map(({ name }) => name)))
  const unused = others.map(({ name, afterDays }): ShownLetter => {
    const words = wordsOf({ name, subject: '', preview: '', words: null }, content)
    const figures = { due: 0, sent: 0, failed: 0, left: 0 }
    return { name, ...words, afterDays, isOn: true, isOfContent: true, pausedWhy: null, ...figures }
  })
  return {
    isOn: isSeriesOn(rows),
    letters: [...letters, ...unused].toSorted((a, b) => a.afterDays - b.afterDays),
  }
}

async function showRow(
  reader: Reader,
  row: SeriesRow,
  content: Pick<Content, 'series'>,
): Promise<ShownLetter> {
  const { id, name, afterDays, isSwitchedOn, cameDue, countedTo, leftAfter } = row
  const recent = await countSent(reader, { id, from: countedTo, to: Number.MAX_SAFE_INTEGER })
  const failed = await reader.row<{ count: number }>(sql`
    select count(*) as count from deliveries where announcement = ${id} and state = 'failed'`)
  return {
    name,
    ...wordsOf(row, content),
    afterDays,
    isOn: isSwitchedOn,
    isOfContent: isOfContent(row),
    pausedWhy: isPausedItself(row) ? row.pausedWhy : null,
    due: cameDue,
    sent: (row.sent ?? 0) + recent.sent,
    failed: failed!.count,
    left: leftAfter + recent.left,
  }
}

interface Span {
  id: number
  /** Left out. */
  from: number
  to: number
}

async function countSent(reader: Reader, { id, from, to }: Span) {
  const row = await reader.row<{ sent: number; left: number }>(sql`
    select count(*) as sent, count(case
      when s.state in ('unsubscribed', 'blocked')
        and s.left_at between d.finished_at and d.finished_at + ${dayMs} then 1
      when s.announcements_refused_at between d.finished_at and d.finished_at + ${dayMs} then 1
      end) as "left"
    from deliveries d join subscribers s on s.id = d.subscriber
    where d.announcement = ${id} and d.state = 'sent'
      and d.finished_at > ${from} and d.finished_at <= ${to}`)
  return row!
}

/**
 * Adds to the row what cannot change any more: mails sent more than a day ago, and who left after
 * them. Otherwise each look would count all that were ever sent.
 */
export async function countWhatIsOver(
  database: Database,
  { id, countedTo }: SeriesRow,
  now: number,
): Promise<void> {
  const to = now - dayMs
  if (to - countedTo < hourMs) return
  const { sent, left } = await countSent(database.ownerReads, { id, from: countedTo, to })
  await database.transaction((transaction) =>
    transaction.run(sql`
      update announcements
      set sent = sent + ${sent}, left_after = left_after + ${left}, counted_to = ${to}
      where id = ${id} and counted_to = ${countedTo}`),
  )
}
