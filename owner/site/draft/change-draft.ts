import type { Database, Transaction } from '#server/database/database.ts'
import { noteChanges, type WholePage } from '#server/site/versions/last-changes.ts'
import {
  deleteVersion,
  insertVersion,
  type LastChange,
  type StoredFiles,
  updateVersion,
  versionsLock,
} from '#server/site/versions/versions.ts'
import type { ContentValue } from '#site/words/description.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { asDifference, isKnownText, isSame, textAt, type Texts } from './draft-difference.ts'
import { changesOf, describeDraft, type DraftedPage, readDraftedPage } from './drafted-page.ts'

/** A page as it would be published: all that differs from the defaults. */
export interface WholeDraft {
  texts: Texts
  files: StoredFiles
}

/** The text that was typed in one field. */
export interface TypedText {
  path: string
  value: ContentValue
  /** The revision that the tab knew before it was typed. */
  revision: number
}

/** Another device changed a text or a file meanwhile. Mine was not saved. */
export interface Conflict<Theirs> {
  theirs: Theirs
  /** ms since 1970. */
  changedAt: number
}

export interface SaveAnswer {
  /** The page's revision before it was saved. */
  before: number
  /** The page's revision now. */
  revision: number
  conflicts: readonly (Conflict<ContentValue> & { path: string })[]
  /** The page has these texts no more. */
  unknown: readonly string[]
}

/**
 * Saves what a tab typed. A text that another device changed since the revision that the tab knew
 * is left as it is, and both are told. What the tab saved itself is no conflict, so that a save
 * whose answer was lost can be sent again.
 */
export function saveTexts(
  database: Database,
  typed: readonly TypedText[],
  by: Omit<LastChange, 'revision'>,
): Promise<SaveAnswer> {
  return changeDraft(database, by, async (page, write) => {
    const known = typed.filter(({ path }) => isKnownText(path))
    const conflicts = known.flatMap((one) => {
      const theirs = textAt(page.texts, one.path, page.files)
      const changed = changeSince(page, one.path, { ...one, tab: by.tab })
      if (!changed || isSame(theirs, one.value)) return []
      return [{ path: one.path, theirs, changedAt: changed.at }]
    })
    const refused = new Set(conflicts.map(({ path }) => path))
    const taken = known.filter(({ path }) => !refused.has(path))
    const texts = Object.fromEntries(taken.map(({ path, value }) => [path, value]))
    return {
      before: revisionOf(page),
      revision: await write({ texts: { ...page.texts, ...texts }, files: page.files }),
      conflicts,
      unknown: typed.map(({ path }) => path).filter((path) => !isKnownText(path)),
    }
  })
}

export function revisionOf({ newest }: DraftedPage): number {
  return newest?.revision ?? 0
}

/** The change of a text or a file by another tab, since a tab knew it. */
export function changeSince(
  { newest }: DraftedPage,
  name: string,
  { revision, tab }: { revision: number; tab: string },
): LastChange | undefined {
  const change = newest?.lastChanges[name]
  if (!change || change.revision <= revision) return undefined
  return change.tab === tab && tab !== '' ? undefined : change
}

/** Writes the whole draft, and returns its revision. */
export type WriteDraft = (draft: WholeDraft) => Promise<number>

/** Lets `change` read the draft and write another in its place, in one transaction. */
export function changeDraft<Answer>(
  database: Database,
  by: Omit<LastChange, 'revision'>,
  change: (page: DraftedPage, write: WriteDraft, transaction: Transaction) => Promise<Answer>,
): Promise<Answer> {
  return database.transaction(async (transaction) => {
    await transaction.lock(versionsLock)
    const page = await readDraftedPage(transaction)
    return change(page, (draft) => writeDraft(transaction, page, draft, by), transaction)
  })
}

async function writeDraft(
  transaction: Transaction,
  page: DraftedPage,
  draft: WholeDraft,
  by: Omit<LastChange, 'revision'>,
): Promise<number> {
  const { newest } = page
  const whole: WholePage = {
    difference: asDifference(draft.texts, draft.files),
    files: draft.files,
  }
  if (newest && isSame([newest.difference, newest.files], [whole.difference, whole.files])) {
    return newest.revision
  }
  const noted = noteChanges(newest, whole, by)
  const version = { state: 'draft' as const, changedAt: by.at, about: '', ...whole, ...noted }
  if (newest?.state === 'draft') await updateVersion(transaction, { id: newest.id, ...version })
  else await insertVersion(transaction, version)
  return noted.revision
}

/** Makes a page the draft. The draft before it is kept, as an older version, if it has a change. */
export function replaceDraft(
  database: Database,
  wanted: WholeDraft,
  { action, now }: { action: string; now: number },
): Promise<void> {
  return database.transaction(async (transaction) => {
    await transaction.lock(versionsLock)
    const page = await readDraftedPage(transaction)
    const { newest } = page
    if (newest?.state === 'draft') {
      const { paths, kinds } = changesOf(page)
      if (paths.length + kinds.length === 0) await deleteVersion(transaction, newest.id)
      else await updateVersion(transaction, { ...newest, about: describeDraft(page) })
    }
    const texts = Object.entries(wanted.texts).filter(([path]) => isKnownText(path))
    const whole = {
      difference: asDifference(Object.fromEntries(texts), wanted.files),
      files: wanted.files,
    }
    const noted = noteChanges(newest, whole, { at: now, tab: '' })
    const version = { state: 'draft' as const, changedAt: now, about: '', ...whole, ...noted }
    await insertVersion(transaction, version)
    await recordActionIn(transaction, { at: now, action, about: '' })
  })
}
