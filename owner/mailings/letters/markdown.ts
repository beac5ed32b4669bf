import MarkdownIt from 'markdown-it'
import type { LetterFrame } from '#site/mail/letter.tsx'
import { shownSize } from './pictures.ts'

type Attributes = LetterFrame['attributes']

/**
 * Raw HTML stays text, and links lead to the web or to an address. A letter loads its own pictures
 * from {publicUrl}, which stays a placeholder, and nothing else: other images are links. The time grows with the
 * length of the text, whatever is in it.
 */
export function renderMarkdown(text: string, attributes: Attributes): string {
  const html = markdown.render(text).trim()
  return html.replaceAll(/<(\w+)/g, (tag, name: keyof Attributes) => tag + (attributes[name] ?? ''))
}

const markdown = new MarkdownIt({ html: false, linkify: true })
markdown.disable('table')
markdown.linkify.set({ fuzzyLink: false }) // "version 1.1.md" is no address
markdown.validateLink = (href) =>
  /^(?:https?:\/\/|mailto:)/i.test(href) || shownSize(href) !== undefined

const { escapeHtml } = markdown.utils
const { rules } = markdown.renderer

rules.heading_open = () => '<h2>'
rules.heading_close = () => '</h2>\n'
rules.fence = rules.code_block = (tokens, index) =>
  `<pre>${escapeHtml(tokens[index]!.content.trimEnd())}</pre>\n`
rules.image = (tokens, index) => {
  const image = tokens[index]!
  const href = String(image.attrGet('src'))
  const size = shownSize(href)
  if (size) {
    const { width, height } = size
    return `<img src="{publicUrl}${escapeHtml(href)}" alt="${escapeHtml(image.content)}" width="${width}" height="${height}">`
  }
  return `<a href="${escapeHtml(href)}">${escapeHtml(image.content || href)}</a>`
}
