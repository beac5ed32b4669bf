import sql, { join } from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Transaction } from '#server/database/database.ts'
import { CommandError } from '#owner/acts/errors.ts'

/** In bytes, as the database keeps them: for the pictures of all letters. */
export const roomForPictures = 300_000_000
/** A picture is added before the text that shows it is saved. */
const keptUnusedMs = dayMs

interface Room {
  /** In bytes. */
  wanted: number
  room: number
  /** ms since 1970. */
  now: number
}

/**
 * Makes room for a picture: those go that no letter has and no mail ever had, the oldest first.
 * Throws a CommandError if that is not enough, because mail that was sent shows the others.
 */
export async function makeRoomForPicture(
  transaction: Transaction,
  { wanted, room, now }: Room,
): Promise<void> {
  await transaction.lock('pictures of letters')
  const [all] = await transaction.rows<{ bytes: number }>(sql`
    select cast(coalesce(sum(octet_length(content)), 0) as bigint) as bytes from letter_pictures`)
  let missing = all!.bytes + wanted - room
  if (missing <= 0) return
  const used = await findUsedNames(transaction)
  const old = await transaction.rows<{ name: string; bytes: number }>(sql`
    select name, octet_length(content) as bytes from letter_pictures
    where added_at < ${now - keptUnusedMs} order by added_at`)
  const dropped: string[] = []
  for (const { name, bytes } of old) {
    if (missing <= 0) break
    if (used.has(name)) continue
    dropped.push(name)
    missing -= bytes
  }
  if (missing > 0) throw new CommandError(fullSentence)
  await transaction.run(sql`delete from letter_pictures where name in (${join(dropped)})`)
}

const fullSentence =
  'There is no room for more pictures: mail that was sent shows those of earlier letters. Use one of them again, or a smaller one.'

/** The names in the words of all letters, and in all mail that was ever written. */
async function findUsedNames(transaction: Transaction): Promise<Set<string>> {
  const texts = await transaction.rows<{ text: string }>(sql`
    select words as text from mailings where words like '%/pictures/%'
    union all select content from mail_templates where content like '%/pictures/%'`)
  const names = texts.flatMap(({ text }) =>
    [...text.matchAll(/\/pictures\/([\w.-]+)/g)].map(([, name]) => name!),
  )
  return new Set(names)
}
