import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { CommandError } from '../../command-line/command-context.ts'
import { type Draft, oneLine } from '../announcement-mail.ts'
import type { Announceable } from '../announcements.ts'

const nameForm = /^[\w.-]{1,80}$/

/**
 * Reads a Markdown file that begins with `---`, `subject: …`, `---`. `preview: …` may stand there.
 */
export async function readLetterFile(path: string): Promise<Announceable & Draft> {
  const name = basename(path).replace(/\.md$/i, '')
  if (!nameForm.test(name)) {
    throw new CommandError(`${name} is no name: use letters, digits, dots and dashes.`)
  }
  const file = await readFile(path, 'utf8')
  const [front = '', fields = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(file) ?? []
  const letter = {
    name,
    kind: 'letter' as const,
    subject: fieldIn(fields, 'subject'),
    preview: fieldIn(fields, 'preview'),
    text: file.slice(front.length).trim(),
  }
  if (letter.subject === '' || letter.text === '') {
    throw new CommandError(
      `${path} must begin with the lines ---, subject: …, --- and go on with the text.`,
    )
  }
  return letter
}

/** Empty: it is not there. */
function fieldIn(fields: string, name: 'subject' | 'preview'): string {
  const [, value = ''] = new RegExp(`^${name}:(.*)$`, 'im').exec(fields) ?? []
  return oneLine(value).replace(/^(["'])(.*)\1$/, '$2')
}
