import { toPlainText } from '@react-email/render'

/** The part of html-to-text that we use; it brings no types. */
interface LinkElement {
  attribs: { href: string }
  children: unknown
}
interface TextBuilder {
  addInline(text: string): void
  addLineBreak(): void
  addLiteral(text: string): void
}
type WalkChildren = (children: unknown, builder: TextBuilder) => void

/** The text part, read from the same document. Every link stands alone on its line, so that a click takes all of it. */
export function emailAsText(html: string): string {
  const text = toPlainText(html, {
    formatters: { linkOnItsOwnLine },
    selectors: [
      { selector: 'a', format: 'linkOnItsOwnLine' },
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'h2', options: { uppercase: false } },
    ],
  })
  return `${text.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`
}

function linkOnItsOwnLine(link: LinkElement, walk: WalkChildren, builder: TextBuilder) {
  walk(link.children, builder)
  builder.addInline(':')
  builder.addLineBreak()
  builder.addLiteral(link.attribs.href)
}
