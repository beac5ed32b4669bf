import sql, { join, type Sql } from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { checkWords } from './letters/check-words.ts'
import { maxAfterDays } from './limits.ts'
import {
  type Audience,
  isEditable,
  isLive,
  lockMailing,
  type Mailing,
  type MailingWords,
} from './mailings.ts'

/** The fields that an editor saves as they are typed. */
export type MailingChanges = {
  [Field in Editable]?:
    Exclude<Mailing[Field], Field extends 'afterDays' ? null : never> | undefined
}

type Editable =
  keyof MailingWords | Exclude<keyof Audience, 'version' | 'versionDate'> | 'sendAt' | 'afterDays'

export type SaveOutcome =
  | { kind: 'saved'; revision: number }
  /** Somebody else changed one of the same fields since that revision. Nothing was saved. */
  | { kind: 'conflict'; theirs: Mailing }

export interface Save {
  id: number
  changes: MailingChanges
  /** The revision that the changes are based on. */
  revision: number
  /** The saver read these values of the changed fields. */
  before: MailingChanges
  /** The owner has proved who they are within the last minutes: a letter that is on may change. */
  isProved?: boolean
}

/**
 * Saves what was typed. A letter that has started is fixed, but for one of the series; while that
 * is on, only words that can be sent are saved. What another device saved meanwhile in other fields
 * stays.
 */
export function saveMailing(
  database: Database,
  { id, changes, revision, before, isProved = false }: Save,
  now: number,
): Promise<SaveOutcome> {
  return database.transaction(async (transaction) => {
    const mailing = await lockMailing(transaction, id)
    if (!mailing) throw new CommandError('This letter does not exist any more.')
    if (isLive(mailing) && !isProved) {
      throw new CommandError('This letter goes out by itself. Confirm that it is you to change it.')
    }
    if (!isEditable(mailing)) {
      throw new CommandError('This letter has started. Write another like it.')
    }
    if (mailing.revision !== revision && isTouched(mailing, before, changes)) {
      return { kind: 'conflict', theirs: mailing }
    }
    const { subject = mailing.subject, words = mailing.words, afterDays } = changes
    if (isLive(mailing)) checkWords({ subject, words })
    if (afterDays !== undefined) checkDays(mailing, afterDays)
    await transaction.run(sql`
      update mailings set ${join([...columnsOf(changes), sql`changed_at = ${now}`])},
        revision = revision + 1
      where id = ${id}`)
    return { kind: 'saved', revision: mailing.revision + 1 }
  })
}

/**
 * A field that already has the new value is no conflict: the answer to an earlier save may be lost.
 */
function isTouched(mailing: Mailing, before: MailingChanges, changes: MailingChanges): boolean {
  const fields = Object.keys(before) as (keyof MailingChanges)[] // by the schema of the call
  return fields.some((field) => {
    const now = JSON.stringify(mailing[field])
    return now !== JSON.stringify(before[field]) && now !== JSON.stringify(changes[field])
  })
}

function checkDays({ afterDays: before }: Mailing, days: number): void {
  if (before === null) throw new CommandError('This letter is not one of the series.')
  if (!Number.isInteger(days) || days < 1 || days > maxAfterDays) {
    throw new CommandError(
      `A letter of the series comes 1 to ${maxAfterDays} days after the consent.`,
    )
  }
}

function columnsOf(changes: MailingChanges): Sql[] {
  const { subject, preview, words, to, campaigns, notMailing, sendAt, afterDays } = changes
  const columns: [unknown, Sql][] = [
    [subject, sql`subject = ${subject}`],
    [preview, sql`preview = ${preview}`],
    [words, sql`words = ${words}`],
    [to, sql`audience = ${to}`],
    [campaigns, sql`campaigns = ${campaigns?.length ? JSON.stringify(campaigns) : null}`],
    [notMailing, sql`not_mailing = ${notMailing}`],
    [sendAt, sql`send_at = ${sendAt}`],
    [afterDays, sql`after_days = ${afterDays}`],
  ]
  return columns.flatMap(([value, column]) => (value === undefined ? [] : [column]))
}
