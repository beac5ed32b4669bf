import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Marked, type Tokens } from 'marked'
import sql from 'sql-template-tag'
import { letterText } from '#content/letter.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import { emailAsText } from '#mail/email-as-text.ts'
import type { LetterFrame } from '#mail/letter.tsx'
import type { Config } from '#server/configuration/config.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { CommandError } from '../command-line/command-context.ts'
import { asTemplate, oneLine, withoutPlaceholders } from './announcement-mail.ts'
import type { Audience } from './announcements.ts'

export interface Letter {
  /** The file name without .md. */
  name: string
  subject: string
  /** Markdown. */
  body: string
}

const nameForm = /^[\w.-]{1,80}$/

/** Reads a Markdown file that begins with `---`, `subject: …`, `---`. */
export async function readLetterFile(path: string): Promise<Letter> {
  const name = basename(path).replace(/\.md$/i, '')
  if (!isLetterName(name)) throw new CommandError(`${name} is no name: use letters, digits, dots and dashes.`)
  const text = await readFile(path, 'utf8')
  const [front = '', fields = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? []
  const [, subject = ''] = /^subject:(.*)$/im.exec(fields) ?? []
  const letter = {
    name,
    subject: oneLine(subject).replace(/^(["'])(.*)\1$/, '$2'),
    body: text.slice(front.length).trim(),
  }
  if (letter.subject === '' || letter.body === '')
    throw new CommandError(`${path} must begin with the lines ---, subject: …, --- and go on with the text.`)
  return letter
}

export function isLetterName(name: string): boolean {
  return nameForm.test(name)
}

/** The mail of a letter, for an audience. */
export function composeLetter(
  frame: LetterFrame,
  to: Audience,
  letter: Pick<Letter, 'subject' | 'body'>,
  config: Config,
): StarterEmailTemplate {
  const subject = withoutPlaceholders(oneLine(letter.subject))
  const html = renderMarkdown(withoutPlaceholders(letter.body), frame.parts)
  const text = emailAsText(html)
  const fill = (part: string, values: Record<string, string>) =>
    part.replaceAll(/\{\{(subject|preview|body)\}\}/g, (_, name: string) => values[name] ?? '')
  const preview = oneLine(text).slice(0, previewLength)
  const rendered = {
    subject,
    html: fill(frame.html, { subject: escapeHtml(subject), preview: escapeHtml(preview), body: html }),
    text: fill(frame.text, { subject, body: text.trim() }),
  }
  return asTemplate(rendered, letterText.reason[to], config)
}

const previewLength = 120

/** Raw HTML is shown as text, images are links, and links lead to the web or to an address: a letter loads nothing. */
function renderMarkdown(body: string, parts: LetterFrame['parts']): string {
  const fill = (part: keyof LetterFrame['parts'], content = '', href = '') =>
    parts[part].replace('{{href}}', () => escapeHtml(href)).replace('{{content}}', () => content)
  const link = (href: string, content: string) =>
    /^(?:https?:\/\/|mailto:)/i.test(href) ? fill('link', content, href) : content
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ href, text }) => link(href, escapeHtml(text || href)),
      code: ({ text }) => fill('code', escapeHtml(text)),
      hr: () => fill('rule'),
      link({ href, tokens }) {
        return link(href, this.parser.parseInline(tokens))
      },
      heading({ tokens }) {
        return fill('heading', this.parser.parseInline(tokens))
      },
      paragraph({ tokens }) {
        return fill('paragraph', this.parser.parseInline(tokens))
      },
      blockquote({ tokens }) {
        return fill('quote', this.parser.parse(tokens))
      },
      list({ ordered, items }: Tokens.List) {
        const content = items.map((item) => this.listitem(item)).join('')
        return fill(ordered ? 'orderedList' : 'list', content)
      },
      listitem: function ({ tokens }) {
        return fill('item', this.parser.parse(tokens))
      },
    },
  })
  return marked.parse(body, { async: false })
}

export type Draft = Letter & { changedAt: number }

/** The drafts of the desk, the newest first. */
export function readDrafts(reader: Reader): Promise<Draft[]> {
  return reader.rows<Draft>(
    sql`select name, subject, body, changed_at as "changedAt" from letters order by changed_at desc limit 100`,
  )
}

export async function saveDraft(
  database: Database,
  { name, subject, body }: Letter,
  now: number,
): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(sql`
      insert into letters (name, subject, body, changed_at) values (${name}, ${subject}, ${body}, ${now})
      on conflict (name) do update set subject = excluded.subject, body = excluded.body, changed_at = excluded.changed_at`),
  )
}

export async function deleteDraft(database: Database, name: string): Promise<void> {
  await database.transaction((transaction) => transaction.run(sql`delete from letters where name = ${name}`))
}
