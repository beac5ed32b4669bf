import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandError, UsageError } from '#owner/acts/errors.ts'
import { parseMoment } from '#owner/acts/terminal/parse-moment.ts'
import { oneLine } from '../compose.ts'
import { maxAfterDays } from '../limits.ts'
import type { Audience, MailingWords } from '../mailings.ts'

const nameForm = /^[\w.-]{1,80}$/

// Lengths are limited: an unlimited one takes long for a text of brackets.

/** A picture beside the file: no path of the site and no URL. */
const localPicture = /(?<=!\[[^\]]{0,1000}\]\()(?![a-z]+:|\/)[^)\s]{1,1000}(?=\))/gi

/** Written in another way, such as with a title or with a space in the file's name. */
const otherLocalPicture = /!\[[^\]]{0,1000}\]\(\s{0,100}<?(?![a-z]+:|[/\s<])/i

/** A letter as its file says it. */
export interface LetterFile extends MailingWords {
  name: string
  to: Audience['to']
  campaigns: string[] | null
  /** Not those who had the mailing of this name. */
  not: string | undefined
  /** A letter of the series: so many days after the consent. */
  afterDays: number | undefined
  /** ms since 1970. */
  sendAt: number | undefined
}

const known = new Set(['subject', 'preview', 'after-days', 'to', 'campaigns', 'not', 'at'])

/**
 * Reads a Markdown file that begins with `---`, lines such as `subject: …`, `---`. `keepPicture`
 * gets each picture beside it, and returns its path on the site.
 */
export async function readLetterFile(
  path: string,
  keepPicture: (bytes: Buffer) => string | Promise<string>,
): Promise<LetterFile> {
  const name = basename(path).replace(/\.md$/i, '')
  if (!nameForm.test(name)) {
    throw new UsageError(`${name} is no name: use letters, digits, dots and dashes.`)
  }
  const file = await readFile(path, 'utf8')
  const [front = '', lines = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(file) ?? []
  const fields = fieldsIn(lines)
  const subject = fields.get('subject') ?? ''
  const text = file.slice(front.length).trim()
  if (subject === '' || text === '') {
    throw new UsageError(
      `${path} must begin with the lines ---, subject: …, --- and go on with the text.`,
    )
  }
  return {
    name,
    subject,
    preview: fields.get('preview') ?? '',
    words: await withPictures(text, dirname(path), keepPicture),
    to: readAudience(fields.get('to')),
    campaigns: readList(fields.get('campaigns')),
    not: fields.get('not'),
    afterDays: readDays(fields.get('after-days')),
    sendAt: readTime(fields.get('at')),
  }
}

/** Each line is `name: value`. */
function fieldsIn(lines: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of lines.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^([\w-]+):(.*)$/.exec(line.trim()) ?? []
    const field = name.toLowerCase()
    if (!known.has(field)) {
      throw new UsageError(
        `“${line.trim()}” is no line of a letter. It may have: ${[...known].join(', ')}.`,
      )
    }
    fields.set(field, oneLine(value).replace(/^(["'])(.*)\1$/, '$2'))
  }
  return fields
}

function readAudience(value = 'consented'): Audience['to'] {
  if (value === 'consented' || value === 'everyone') return value
  throw new UsageError(`to: ${value} is neither consented nor everyone.`)
}

/** `[youtube, none]` */
function readList(value: string | undefined): string[] | null {
  if (value === undefined) return null
  const names = value
    .replace(/^\[(.*)\]$/, '$1')
    .split(',')
    .map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((name) => name !== '')
  if (names.length === 0) throw new UsageError('campaigns: names no campaign.')
  return names
}

function readDays(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const days = /^\d+$/.test(value) ? Number(value) : 0
  if (days >= 1 && days <= maxAfterDays) return days
  throw new UsageError(`after-days: ${value} is no number from 1 to ${maxAfterDays}.`)
}

function readTime(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const moment = parseMoment(value)
  if (moment) return moment.ms
  throw new UsageError(`at: ${value} is no time like 2026-11-21T09:30Z.`)
}

async function withPictures(
  text: string,
  folder: string,
  keepPicture: (bytes: Buffer) => string | Promise<string>,
): Promise<string> {
  const paths = new Map<string, string>()
  for (const [file] of text.matchAll(localPicture)) {
    const bytes = await readFile(join(folder, file))
    try {
      paths.set(file, await keepPicture(bytes))
    } catch (fault) {
      // A letter has up to ten.
      if (fault instanceof CommandError) throw new CommandError(`${file}: ${fault.message}`)
      throw fault
    }
  }
  const done = text.replaceAll(localPicture, (file) => paths.get(file) ?? file)
  if (otherLocalPicture.test(done)) {
    throw new CommandError('Write a picture as ![description](file.png).')
  }
  return done
}
