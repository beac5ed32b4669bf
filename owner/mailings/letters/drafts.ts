import sql from 'sql-template-tag'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { deleteSetting, readSetting, writeSetting } from '#server/database/settings.ts'
import { newToken } from '#server/subscribers/subscribers.ts'

/** The owner's words of a letter that is not sent. */
export interface LetterWords {
  subject: string
  /** Shown after the subject. Empty: the text's first words. */
  preview: string
  /** Markdown. */
  text: string
}

export interface LetterDraft extends LetterWords {
  id: string
  /** ms since 1970. */
  changedAt: number
}

/** The settings that hold drafts, one each. The first desk had one draft, without an id. */
const prefix = 'letter-draft'

/** The one changed last comes first. */
export async function readDrafts(reader: Reader): Promise<LetterDraft[]> {
  const rows = await reader.rows<{ name: string; value: string }>(
    sql`select name, value from settings where name like ${`${prefix}%`}`,
  )
  const drafts = rows.map(({ name, value }) => draftOf(name.slice(prefix.length), value))
  return drafts.toSorted((a, b) => b.changedAt - a.changedAt)
}

function draftOf(id: string, value: string): LetterDraft {
  const kept: Partial<LetterDraft> = JSON.parse(value) // as writeDraft wrote it
  const { subject = '', preview = '', text = '', changedAt = 0 } = kept
  return { id, subject, preview, text, changedAt }
}

/** Returns the new draft's id. A browser chooses it where it goes on writing in the draft. */
export async function addDraft(
  transaction: Transaction,
  words: LetterWords,
  now: number,
  id = `-${newToken()}`,
): Promise<string> {
  await writeDraft(transaction, { ...words, id, changedAt: now })
  return id
}

/**
 * Changes the words that are given. A late save of one that was sent or thrown away changes
 * nothing.
 */
export function changeDraft(
  database: Database,
  id: string,
  changed: { [Name in keyof LetterWords]?: LetterWords[Name] | undefined },
  now: number,
): Promise<void> {
  return database.transaction(async (transaction) => {
    await lockDraft(transaction, id)
    const value = await readSetting(transaction, prefix + id)
    if (value === undefined) return
    const draft = draftOf(id, value)
    const { subject = draft.subject, preview = draft.preview, text = draft.text } = changed
    await writeDraft(transaction, { id, subject, preview, text, changedAt: now })
  })
}

export async function removeDraft(transaction: Transaction, id: string): Promise<void> {
  await lockDraft(transaction, id)
  await deleteSetting(transaction, prefix + id)
}

/** Otherwise a save that has read the draft before it is removed would write it again. */
function lockDraft(transaction: Transaction, id: string): Promise<void> {
  return transaction.lock(`draft ${id}`)
}

async function writeDraft(transaction: Transaction, { id, ...draft }: LetterDraft): Promise<void> {
  await writeSetting(transaction, prefix + id, JSON.stringify(draft))
}
