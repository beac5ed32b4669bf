import { Marked } from 'marked'
import type { LetterFrame } from '#mail/letter.tsx'
import { escapeHtml } from '#text/escape-html.ts'

type Attributes = LetterFrame['attributes']

/**
 * Raw HTML is shown as text, images are links, and links lead to the web or to an address: a letter
 * loads nothing.
 */
export function renderMarkdown(text: string, attributes: Attributes): string {
  const link = (href: string, content: string) =>
    /^(?:https?:\/\/|mailto:)/i.test(href)
      ? `<a href="${escapeHtml(href)}">${content}</a>`
      : content
  const marked = new Marked({
    renderer: {
      html: ({ text: html }) => escapeHtml(html),
      image: ({ href, text: about }) => link(href, escapeHtml(about || href)),
      code: ({ text: code }) => `<pre>${escapeHtml(code)}</pre>`,
      checkbox: () => '',
      heading({ tokens }) {
        return `<h2>${this.parser.parseInline(tokens)}</h2>`
      },
      link({ href, tokens }) {
        return link(href, this.parser.parseInline(tokens))
      },
    },
  })
  // A line break after an inline element, such as a link, stays as a space.
  const betweenBlocks = /(?<=>)(?<!<\/(?:a|strong|em|code|del)>)\n(?=<|$)/g
  const html = marked.parse(text, { async: false }).replaceAll(betweenBlocks, '')
  return html.replaceAll(/<(\w+)/g, (tag, name: keyof Attributes) => tag + (attributes[name] ?? ''))
}
