import type { ContentValue } from '#site/words/description.ts'
import sql from 'sql-template-tag'
import type { Database, Reader, Transaction } from '#server/database/database.ts'

/** A text of the draft. */
export interface DraftText {
  /** The text's path below content/, such as `landingPage.hero.lede`. */
  path: string
  /** A text, or a whole list. */
  value: ContentValue
  /** ms since 1970. */
  changedAt: number
}

/** The text that was typed in one field. */
export interface TypedText {
  path: string
  /** The field's text before, as far as this tab knew. */
  before: ContentValue
  value: ContentValue
}

/** A text that another device changed meanwhile. It was not saved. */
export interface Conflict {
  path: string
  theirs: ContentValue
  /** ms since 1970. Null: what stands is published. */
  changedAt: number | null
}

export interface Saving {
  /** The tab that saves. */
  writer: string
  texts: readonly TypedText[]
  /** The published text at a path. */
  publishedAt(path: string): unknown
  /** ms since 1970. */
  now: number
}

interface Row {
  path: string
  value: string
  changed_at: number
  writer: string
}

/** In no order. */
export async function readDraft(reader: Reader): Promise<DraftText[]> {
  const rows = await reader.rows<Row>(sql`select path, value, changed_at from page_draft`)
  return rows.map(({ path, value, changed_at: changedAt }) => ({
    path,
    value: JSON.parse(value),
    changedAt,
  }))
}

/**
 * Saves what a tab typed. A text that somebody else changed meanwhile is left as it is and
 * returned. The values decide, not their times, so that a save whose answer was lost can be sent
 * again.
 */
export function saveDraft(database: Database, saving: Saving): Promise<Conflict[]> {
  return database.transaction(async (transaction) => {
    await transaction.lock('page-draft')
    const conflicts: Conflict[] = []
    for (const typed of saving.texts) {
      const conflict = await saveText(transaction, typed, saving)
      if (conflict) conflicts.push(conflict)
    }
    return conflicts
  })
}

async function saveText(
  transaction: Transaction,
  { path, before, value }: TypedText,
  { writer, publishedAt, now }: Saving,
): Promise<Conflict | undefined> {
  const row = await transaction.row<Row>(sql`
    select path, value, changed_at, writer from page_draft where path = ${path}`)
  const written = JSON.stringify(value)
  const published = JSON.stringify(publishedAt(path))
  const current = row?.value ?? published
  const isOfThisTab = row?.writer === writer
  const isExpected = current === JSON.stringify(before) || current === written
  if (!isOfThisTab && !isExpected) {
    return { path, theirs: JSON.parse(current), changedAt: row?.changed_at ?? null }
  }
  if (written === published) {
    await transaction.run(sql`delete from page_draft where path = ${path}`)
  } else {
    await putText(transaction, { path, value, now, writer })
  }
  return undefined
}

/** Forgets what was published. What was typed since then stays. */
export async function dropDraft(database: Database, texts: readonly DraftText[]): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const { path, value } of texts) {
      await transaction.run(sql`
        delete from page_draft where path = ${path} and value = ${JSON.stringify(value)}`)
    }
  })
}

/** Writes a text that nobody typed, such as the release of a new script. */
export async function writeDraftText(
  database: Database,
  { path, value, now }: { path: string; value: ContentValue; now: number },
): Promise<void> {
  await database.transaction((transaction) =>
    putText(transaction, { path, value, now, writer: 'desk' }),
  )
}

/** The published text stays. */
export async function dropDraftText(database: Database, path: string): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(sql`delete from page_draft where path = ${path}`),
  )
}

interface WrittenText {
  path: string
  value: ContentValue
  /** The tab that wrote it. `desk`: nobody typed it. */
  writer: string
  /** ms since 1970. */
  now: number
}

export async function putText(
  transaction: Transaction,
  { path, value, now, writer }: WrittenText,
): Promise<void> {
  await transaction.run(sql`
    insert into page_draft (path, value, changed_at, writer)
    values (${path}, ${JSON.stringify(value)}, ${now}, ${writer})
    on conflict (path) do update
    set value = excluded.value, changed_at = excluded.changed_at, writer = excluded.writer`)
}
