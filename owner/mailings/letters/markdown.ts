import MarkdownIt from 'markdown-it'
import type { LetterFrame } from '#site/mail/letter.tsx'
import { completeAddress } from './complete-address.ts'
import { shownSize } from './pictures.ts'

type Attributes = LetterFrame['attributes']

/**
 * Raw HTML stays text, and links lead to the web or to an address. A letter loads its own pictures
 * from {publicUrl}, which stays a placeholder, and nothing else: other images are links. The time
 * grows with the length of the text, whatever is in it.
 */
export function renderMarkdown(text: string, attributes: Attributes): string {
  const html = markdown.render(text).trim()
  return html.replaceAll(/<(\w+)/g, (tag, name: keyof Attributes) => tag + (attributes[name] ?? ''))
}

// Line breaks stay as they are typed.
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
markdown.linkify.set({ fuzzyLink: false }) // "version 1.1.md" is no address
// What a link leads to is checked before a letter is sent: links.ts.
markdown.validateLink = (href) => !/^(?:javascript|vbscript|data|file):/i.test(href)
// A bare host gets its https://, and a TradingView {{placeholder}} stays as it is typed.
markdown.normalizeLink = (href) => completeAddress(href) ?? href

/** The parts of a letter. */
export function parseMarkdown(text: string) {
  return markdown.parse(text, {})
}

const { escapeHtml } = markdown.utils
const { rules } = markdown.renderer

rules.heading_open = () => '<h2>'
rules.heading_close = () => '</h2>\n'
rules.fence = rules.code_block = (tokens, index) =>
  `<pre>${escapeHtml(tokens[index]!.content.trimEnd())}</pre>\n`
// Its attributes are those of the letter, so the side stands in one that they have not.
rules.td_open = rules.th_open = (tokens, index) => {
  const cell = tokens[index]!
  const side = /right|center/.exec(String(cell.attrGet('style')))
  return side ? `<${cell.tag} align="${side[0]}">` : `<${cell.tag} align="left">`
}
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
