import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandError } from '#owner/acts/command-context.ts'
import { type Draft, oneLine } from '../announcement-mail.ts'
import type { Announceable } from '../announcements.ts'

const nameForm = /^[\w.-]{1,80}$/

// Lengths are limited: an unlimited one takes long for a text of brackets.

/** A picture beside the file: no path of the site and no URL. */
const localPicture = /(?<=!\[[^\]]{0,1000}\]\()(?![a-z]+:|\/)[^)\s]{1,1000}(?=\))/gi

/** Written in another way, such as with a title or with a space in the file's name. */
const otherLocalPicture = /!\[[^\]]{0,1000}\]\(\s{0,100}<?(?![a-z]+:|[/\s<])/i

/**
 * Reads a Markdown file that begins with `---`, `subject: …`, `---`. `preview: …` may stand there.
 * `keepPicture` gets each picture beside it, and returns its path on the site.
 */
export async function readLetterFile(
  path: string,
  keepPicture: (bytes: Buffer) => string | Promise<string>,
): Promise<Announceable & Draft> {
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
  return { ...letter, text: await withPictures(letter.text, dirname(path), keepPicture) }
}

async function withPictures(
  text: string,
  folder: string,
  keepPicture: (bytes: Buffer) => string | Promise<string>,
): Promise<string> {
  const paths = new Map<string, string>()
  for (const [file] of text.matchAll(localPicture)) {
    paths.set(file, await keepPicture(await readFile(join(folder, file))))
  }
  const done = text.replaceAll(localPicture, (file) => paths.get(file) ?? file)
  if (otherLocalPicture.test(done)) {
    throw new CommandError('Write a picture as ![description](file.png).')
  }
  return done
}

/** Empty: it is not there. */
function fieldIn(fields: string, name: 'subject' | 'preview'): string {
  const [, value = ''] = new RegExp(`^${name}:(.*)$`, 'im').exec(fields) ?? []
  return oneLine(value).replace(/^(["'])(.*)\1$/, '$2')
}
