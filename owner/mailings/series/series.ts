import sql from 'sql-template-tag'
import type { Content } from '#content/content.ts'
import type { SeriesLetter } from '#content/mail/series.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { composeAnnouncement, type ComposeSource } from '../announcement-mail.ts'
import { pause, resume } from '../announcements.ts'
import { checkPictures } from '../letters/pictures.ts'
import {
  contentNameOf,
  defaultLetters,
  type LetterContext,
  readSeriesRows,
  type SeriesRow,
  storeLetter,
} from './letters.ts'

export interface SeriesContext extends LetterContext {
  database: Database
  now: () => number
}

interface SeriesSource {
  database: Database
  now: () => number
  content: Content
  mails: ComposeSource['mails']
}

/** The letters of a series go to people who asked for news. */
export function seriesContext({ mails, ...source }: SeriesSource): SeriesContext {
  const { content } = source
  return {
    ...source,
    compose: (words) =>
      composeAnnouncement({ content, mails }, 'consented', { kind: 'letter', ...words }),
  }
}

export interface NewSeriesLetter extends SeriesLetter {
  name: string
  afterDays: number
}

const maxDays = 60

/** Adds a letter. It goes to people who have not passed its day. */
export function addToSeries(context: SeriesContext, letter: NewSeriesLetter): Promise<void> {
  const { name, afterDays, ...words } = letter
  return changeSeries(context, 'Added to the series', name, async (transaction, rows, now) => {
    checkDays(afterDays)
    checkPictures(words.text)
    const known = await transaction.row<{ kind: string; state: string }>(
      sql`select kind, state from announcements where name = ${name}`,
    )
    if (known && known.kind !== 'series') {
      throw new CommandError(`There is another announcement named ${name}.`)
    }
    if (known && known.state !== 'cancelled') throw new CommandError(`${name} is in the series.`)
    const isOn = isSeriesOn(rows)
    await storeLetter(transaction, { name, afterDays, words }, { ...context, now })
    if (isOn) await go(transaction, await rowNamed(transaction, name), now)
  })
}

const changedLetter = 'Changed a letter of the series'

interface SeriesChange {
  /** A letter whose words stand in content/ is written there, or at the desk's view Page. */
  words?: SeriesLetter | undefined
  afterDays?: number | undefined
}

/** Changes words or day. People who have the letter do not get it again. */
export function changeSeriesLetter(
  context: SeriesContext,
  name: string,
  { words, afterDays }: SeriesChange,
): Promise<void> {
  return changeSeries(context, changedLetter, name, async (transaction, rows, now) => {
    const row = await ensureRow(transaction, rows, name, { ...context, now })
    if (words) {
      checkPictures(words.text)
      await transaction.run(sql`
        update announcements
        set subject = ${words.subject}, preview = ${words.preview}, words = ${words.text}
        where id = ${row.id}`)
    }
    if (afterDays === undefined) return
    checkDays(afterDays)
    await setDay(transaction, row, afterDays, now)
  })
}

/** A letter and the one before it change places. */
export function moveUp(context: SeriesContext, name: string): Promise<void> {
  return changeSeries(context, changedLetter, name, async (transaction, rows, now) => {
    const all = await ensureAll(transaction, rows, { ...context, now })
    const index = all.findIndex((row) => row.name === name)
    const row = all[index]
    if (!row) throw noLetter(name)
    const before = all[index - 1]
    if (!before) throw new CommandError('It is the first letter.')
    if (before.afterDays === row.afterDays) {
      throw new CommandError(
        `${before.name} comes on the same day. Give one of the two another day.`,
      )
    }
    await setDay(transaction, row, before.afterDays, now)
    await setDay(transaction, before, row.afterDays, now)
  })
}

/** Switches one letter on or off, or the series with all letters that are on. */
export function switchSeries(context: SeriesContext, isOn: boolean, name?: string): Promise<void> {
  const action = isOn ? 'Switched on the series' : 'Switched off the series'
  return changeSeries(context, action, name ?? '', async (transaction, rows, now) => {
    if (name !== undefined) {
      const wasOn = isSeriesOn(rows)
      const row = await ensureRow(transaction, rows, name, { ...context, now })
      await transaction.run(
        sql`update announcements set switched_on = ${isOn ? 1 : 0} where id = ${row.id}`,
      )
      if (isOn && wasOn) return go(transaction, row, now)
      if (!isOn) await stop(transaction, row, now)
      return undefined
    }
    const all = await ensureAll(transaction, rows, { ...context, now })
    if (all.length === 0) throw new CommandError('The series has no letter yet.')
    for (const row of all) {
      if (isOn && row.isSwitchedOn) await go(transaction, row, now)
      if (!isOn) await stop(transaction, row, now)
    }
    return undefined
  })
}

/** Takes a letter out of the series. What was sent stays sent, and the rest is not. */
export function removeFromSeries(context: SeriesContext, name: string): Promise<void> {
  return changeSeries(context, 'Removed from the series', name, async (transaction, rows, now) => {
    const { id } = await ensureRow(transaction, rows, name, { ...context, now })
    await transaction.run(sql`
      update announcements set state = 'cancelled', paused_why = null, ended_at = ${now}
      where id = ${id}`)
    await transaction.run(sql`
      update deliveries set state = 'cancelled', finished_at = ${now}
      where announcement = ${id} and state in ('queued', 'held')`)
  })
}

/** True while any of its letters goes out. */
export function isSeriesOn(rows: readonly Pick<SeriesRow, 'state' | 'pausedWhy'>[]): boolean {
  return rows.some(
    ({ state, pausedWhy }) => state === 'running' || isPausedItself({ state, pausedWhy }),
  )
}

export function isPausedItself({
  state,
  pausedWhy,
}: Pick<SeriesRow, 'state' | 'pausedWhy'>): boolean {
  return state === 'paused' && pausedWhy !== null
}

type Work = (transaction: Transaction, rows: SeriesRow[], now: number) => Promise<void>

/**
 * Does a change of the series in one transaction, behind the lock of the series, and writes it into
 * the audit. `work` is given the letters that were not removed.
 */
function changeSeries(
  { database, now: clock }: SeriesContext,
  action: string,
  about: string,
  work: Work,
): Promise<void> {
  return database.transaction(async (transaction) => {
    await transaction.lock('series')
    const now = clock()
    await work(transaction, await livingRows(transaction), now)
    await recordActionIn(transaction, { at: now, action, about })
  })
}

async function livingRows(transaction: Transaction): Promise<SeriesRow[]> {
  return (await readSeriesRows(transaction)).filter(({ state }) => state !== 'cancelled')
}

async function rowNamed(transaction: Transaction, name: string): Promise<SeriesRow> {
  return (await livingRows(transaction)).find((row) => row.name === name)!
}

interface StoreContext extends LetterContext {
  /** ms since 1970. */
  now: number
}

/** The row of a letter; one of content/ gets its row with the first change. */
async function ensureRow(
  transaction: Transaction,
  rows: readonly SeriesRow[],
  name: string,
  context: StoreContext,
): Promise<SeriesRow> {
  const known = rows.find((row) => row.name === name)
  if (known) return known
  const all = new Set((await readSeriesRows(transaction)).map((row) => row.name))
  const letter = defaultLetters(all).find((one) => one.name === name)
  if (!letter) throw noLetter(name)
  await storeLetter(transaction, letter, context)
  return rowNamed(transaction, name)
}

function noLetter(name: string): CommandError {
  return new CommandError(`The series has no letter ${name}.`)
}

async function ensureAll(
  transaction: Transaction,
  rows: readonly SeriesRow[],
  context: StoreContext,
): Promise<SeriesRow[]> {
  const all = new Set((await readSeriesRows(transaction)).map(({ name }) => name))
  for (const { name } of defaultLetters(all)) await ensureRow(transaction, rows, name, context)
  return livingRows(transaction)
}

async function setDay(
  transaction: Transaction,
  row: SeriesRow,
  afterDays: number,
  now: number,
): Promise<void> {
  await transaction.run(
    sql`update announcements set after_days = ${afterDays} where id = ${row.id}`,
  )
  await skipPeoplePastDay(transaction, { ...row, afterDays }, now)
}

function checkDays(afterDays: number): void {
  if (!Number.isInteger(afterDays) || afterDays < 1 || afterDays > maxDays) {
    throw new CommandError(`A letter comes 1 to ${maxDays} days after somebody asked for news.`)
  }
}

/**
 * Moves a letter's place in the list past everybody whose day for it lies before now. They passed it
 * while it was off, or before it had this day, and never get it.
 */
async function skipPeoplePastDay(
  transaction: Transaction,
  { id, upTo, afterDays }: SeriesRow,
  now: number,
): Promise<void> {
  const passed = now - afterDays * dayMs
  if (passed <= upTo) return
  await transaction.run(sql`
    update announcements set series_up_to = ${passed}, released_up_to = 0 where id = ${id}`)
}

async function go(transaction: Transaction, row: SeriesRow, now: number): Promise<void> {
  if (row.state === 'running') return
  // After a pause of its own those go on who are at most three days late.
  if (!isPausedItself(row)) await skipPeoplePastDay(transaction, row, now)
  await resume(transaction, row, { startsOver: true, now })
}

async function stop(transaction: Transaction, { id, state }: SeriesRow, now: number) {
  if (state === 'running') await pause(transaction, id, { why: null, now })
  else await transaction.run(sql`update announcements set paused_why = null where id = ${id}`)
}

/** Letters of content/ have their words there. */
export function isOfContent({ name, words }: Pick<SeriesRow, 'name' | 'words'>): boolean {
  return words === null && contentNameOf(name) !== undefined
}
