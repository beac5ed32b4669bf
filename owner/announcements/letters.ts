import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { letterText } from '#content/letter.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import { emailAsText } from '#mail/email-as-text.ts'
import type { LetterFrame } from '#mail/letter.tsx'
import type { Config } from '#server/configuration/config.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { CommandError } from '../command-line/command-context.ts'
import { asTemplate, oneLine, readBuilt, withoutPlaceholders } from './announcement-mail.ts'
import type { Audience } from './announcements.ts'

export interface Letter {
  /** The file name without .md. */
  name: string
  subject: string
  /** Markdown. */
  text: string
}

const nameForm = /^[\w.-]{1,80}$/

/** Reads a Markdown file that begins with `---`, `subject: …`, `---`. */
export async function readLetterFile(path: string): Promise<Letter> {
  const name = basename(path).replace(/\.md$/i, '')
  if (!nameForm.test(name))
    throw new CommandError(`${name} is no name: use letters, digits, dots and dashes.`)
  const file = await readFile(path, 'utf8')
  const [front = '', fields = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(file) ?? []
  const [, subject = ''] = /^subject:(.*)$/im.exec(fields) ?? []
  const letter = {
    name,
    subject: oneLine(subject).replace(/^(["'])(.*)\1$/, '$2'),
    text: file.slice(front.length).trim(),
  }
  if (letter.subject === '' || letter.text === '')
    throw new CommandError(`${path} must begin with the lines ---, subject: …, --- and go on with the text.`)
  return letter
}

/** The mail of a letter, for an audience. `folder`: the project's. */
export function renderLetter(
  folder: string,
  config: Config,
  to: Audience,
  letter: Draft,
): StarterEmailTemplate {
  const frame: LetterFrame = readBuilt(folder, 'email/letter.json')
  const subject = withoutPlaceholders(oneLine(letter.subject))
  const body = renderMarkdown(withoutPlaceholders(letter.text), frame.parts)
  const bodyAsText = emailAsText(body).trim()
  const reason = letterText.reason[to].join('{{address}}')
  const preview = escapeHtml(oneLine(bodyAsText).slice(0, previewLength))
  const html = fillFrame(frame.html, { subject: escapeHtml(subject), preview, body, reason })
  const text = fillFrame(frame.text, { subject, body: bodyAsText, reason })
  return asTemplate({ subject, html, text }, config)
}

/** Placeholders for each recipient stay. */
function fillFrame(frame: string, values: Record<string, string>): string {
  return frame.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder)
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
      listitem({ tokens }) {
        return fill('item', this.parser.parse(tokens))
      },
    },
  })
  return marked.parse(body, { async: false })
}

type Draft = Pick<Letter, 'subject' | 'text'>
const draftSetting = 'letter-draft'

/** The desk keeps one draft. */
export async function readDraft(reader: Reader): Promise<Draft> {
  const kept = await readSetting(reader, draftSetting)
  return kept === undefined ? { subject: '', text: '' } : JSON.parse(kept) // as writeDraft wrote it
}

export function writeDraft(database: Database, { subject, text }: Draft): Promise<void> {
  return database.transaction((transaction) =>
    writeSetting(transaction, draftSetting, JSON.stringify({ subject, text })),
  )
}
