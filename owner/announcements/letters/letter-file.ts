import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import sql from 'sql-template-tag'
import type { Database, Reader } from '#server/database/database.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import { CommandError } from '../../command-line/command-context.ts'
import { type Draft, oneLine } from '../announcement-mail.ts'
import type { Announceable } from '../announcements.ts'

const nameForm = /^[\w.-]{1,80}$/

/** Reads a Markdown file that begins with `---`, `subject: …`, `---`. */
export async function readLetterFile(path: string): Promise<Announceable & Draft> {
  const name = basename(path).replace(/\.md$/i, '')
  if (!nameForm.test(name)) {
    throw new CommandError(`${name} is no name: use letters, digits, dots and dashes.`)
  }
  const file = await readFile(path, 'utf8')
  const [front = '', fields = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(file) ?? []
  const [, subject = ''] = /^subject:(.*)$/im.exec(fields) ?? []
  const letter = {
    name,
    kind: 'letter' as const,
    subject: oneLine(subject).replace(/^(["'])(.*)\1$/, '$2'),
    text: file.slice(front.length).trim(),
  }
  if (letter.subject === '' || letter.text === '') {
    throw new CommandError(
      `${path} must begin with the lines ---, subject: …, --- and go on with the text.`,
    )
  }
  return letter
}

type Words = Pick<Draft, 'subject' | 'text'>
type DraftChange = { [Name in keyof Words | 'name']?: string | undefined }
const draftSetting = 'letter-draft'

/**
 * The desk keeps one draft. It is empty while there is an announcement of its name, and back once
 * that is taken back.
 */
export async function readDraft(reader: Reader): Promise<Words> {
  const kept = await readSetting(reader, draftSetting)
  const { name = '', ...words } = JSON.parse(kept ?? '{}') // as writeDraft wrote it
  const announced = await reader.row(sql`select 1 from announcements where name = ${name}`)
  return { subject: '', text: '', ...(announced ? {} : words) }
}

/**
 * Changes the words that are given. `name`: they are announced under it. A late save changes
 * nothing while mail goes out.
 */
export function writeDraft(database: Database, words: DraftChange): Promise<void> {
  return database.transaction(async (transaction) => {
    const underWay = sql`select 1 from announcements where state in ('running', 'paused')`
    if (words.name === undefined && (await transaction.row(underWay))) return
    const kept = JSON.stringify({ ...(await readDraft(transaction)), ...words })
    await writeSetting(transaction, draftSetting, kept)
  })
}
