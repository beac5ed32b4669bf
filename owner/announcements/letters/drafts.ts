import sql from 'sql-template-tag'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { deleteSetting, writeSetting } from '#server/database/settings.ts'
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
  const drafts = rows.map(({ name, value }): LetterDraft => {
    const kept: Partial<LetterDraft> = JSON.parse(value) // as writeDraft wrote it
    const { subject = '', preview = '', text = '', changedAt = 0 } = kept
    return { id: name.slice(prefix.length), subject, preview, text, changedAt }
  })
  return drafts.toSorted((a, b) => b.changedAt - a.changedAt)
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
    const draft = (await readDrafts(transaction)).find((one) => one.id === id)
    if (!draft) return
    const { subject = draft.subject, preview = draft.preview, text = draft.text } = changed
    await writeDraft(transaction, { id, subject, preview, text, changedAt: now })
  })
}

export function removeDraft(transaction: Transaction, id: string): Promise<void> {
  return deleteSetting(transaction, prefix + id)
}

async function writeDraft(transaction: Transaction, { id, ...draft }: LetterDraft): Promise<void> {
  await writeSetting(transaction, prefix + id, JSON.stringify(draft))
}
