import sql from 'sql-template-tag'
import { type SeriesLetter, type SeriesName, seriesDays } from '#content/mail/series.ts'
import type { Content } from '#content/content.ts'
import type { MailTemplate } from '#site/mail/compose-mail.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Reader, Transaction } from '#server/database/database.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { readAnnouncements, type Announcement } from '../announcements.ts'

/** A letter of the series as its row says it. Times are ms since 1970. */
export interface SeriesRow extends Announcement {
  afterDays: number
  isSwitchedOn: boolean
  /** People whose series began by then, with numbers up to `releasedUpTo`, had their turn. */
  upTo: number
  cameDue: number
  countedTo: number
  leftAfter: number
}

/** The values that fill the words of a letter. */
export interface LetterContext {
  content: Pick<Content, 'series'>
  compose(words: SeriesLetter): MailTemplate
}

/** The letters whose words stand in `content/`, by their names in lists and commands. */
const contentNames: Readonly<Record<string, SeriesName>> = {
  'first-alert': 'firstAlert',
  sideways: 'sideways',
  'real-money': 'realMoney',
}

/** Returns undefined if it is a letter of the owner's own. */
export function contentNameOf(name: string): SeriesName | undefined {
  return Object.hasOwn(contentNames, name) ? contentNames[name] : undefined
}

/** Letters of content/ that have no row yet, because nobody has switched or changed them. */
export function defaultLetters(known: ReadonlySet<string>): { name: string; afterDays: number }[] {
  return Object.entries(contentNames)
    .filter(([name]) => !known.has(name))
    .map(([name, key]) => ({ name, afterDays: seriesDays[key] }))
}

/** The words of a letter now. */
export function wordsOf(
  { name, subject, preview, words }: Pick<Announcement, 'name' | 'subject' | 'preview' | 'words'>,
  content: Pick<Content, 'series'>,
): SeriesLetter {
  const key = contentNameOf(name)
  if (words === null && key) return content.series[key]
  return { subject, preview, text: words ?? '' }
}

/** In the order of their days. Also those that were removed. */
export async function readSeriesRows(reader: Reader): Promise<SeriesRow[]> {
  const announcements = await readAnnouncements(
    reader,
    sql`where kind = 'series' order by after_days, id`,
  )
  const more = await reader.rows<
    Omit<SeriesRow, keyof Announcement> & { id: number; on: 0 | 1 }
  >(sql`
    select id, after_days as "afterDays", switched_on as "on", series_up_to as "upTo",
      came_due as "cameDue", counted_to as "countedTo", left_after as "leftAfter"
    from announcements where kind = 'series'`)
  const byId = new Map(more.map(({ on, ...row }) => [row.id, { ...row, isSwitchedOn: on === 1 }]))
  return announcements.map((row) => ({ ...row, ...byId.get(row.id)! }))
}

interface NewRow {
  name: string
  afterDays: number
  /** They are in content/ if it is undefined. */
  words?: SeriesLetter
}

/** Adds a letter, not sent yet. One that was removed comes back: nobody gets it twice. */
export async function storeLetter(
  transaction: Transaction,
  { name, afterDays, words }: NewRow,
  { content, compose, now }: LetterContext & { now: number },
): Promise<void> {
  const { subject, preview, text } = words ?? content.series[contentNameOf(name)!]
  const template = await keepTemplate(transaction, compose({ subject, preview, text }))
  await transaction.run(sql`
    insert into announcements
      (name, kind, audience, state, subject, preview, words, template, signed_up_before, starts_at,
        resumed_at, after_days, switched_on, series_up_to, counted_to, sent, failed, cancelled)
    values (${name}, 'series', 'consented', 'paused', ${words ? subject : ''},
      ${words ? preview : ''}, ${words ? text : null}, ${template}, ${Number.MAX_SAFE_INTEGER},
      ${now}, ${now}, ${afterDays}, 1, ${now - afterDays * dayMs}, ${now}, 0, 0, 0)
    on conflict (name) do update set
      state = 'paused', paused_why = null, ended_at = null, subject = excluded.subject,
      preview = excluded.preview, words = excluded.words, template = excluded.template,
      after_days = excluded.after_days, switched_on = 1, resumed_at = excluded.resumed_at`)
}
