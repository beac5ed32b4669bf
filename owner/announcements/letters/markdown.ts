import MarkdownIt from 'markdown-it'
import type { LetterFrame } from '#mail/letter.tsx'

type Attributes = LetterFrame['attributes']

/**
 * Raw HTML stays text, images are links, and links lead to the web or to an address: a letter loads
 * nothing. The time grows with the length of the text, whatever is in it.
 */
export function renderMarkdown(text: string, attributes: Attributes): string {
  const html = markdown.render(text).trim()
  return html.replaceAll(/<(\w+)/g, (tag, name: keyof Attributes) => tag + (attributes[name] ?? ''))
}

const markdown = new MarkdownIt({ html: false, linkify: true })
markdown.disable('table')
markdown.linkify.set({ fuzzyLink: false }) // "version 1.1.md" is no address
markdown.validateLink = (href) => /^(?:https?:\/\/|mailto:)/i.test(href)

const { escapeHtml } = markdown.utils
const { rules } = markdown.renderer

rules.heading_open = () => '<h2>'
rules.heading_close = () => '</h2>\n'
rules.fence = rules.code_block = (tokens, index) =>
  `<pre>${escapeHtml(tokens[index]!.content.trimEnd())}</pre>\n`
rules.image = (tokens, index) => {
  const image = tokens[index]!
  const href = String(image.attrGet('src'))
  return `<a href="${escapeHtml(href)}">${escapeHtml(image.content || href)}</a>`
}
