import { convert, type FormatCallback } from 'html-to-text'

/** The class of a table whose rows stay together. Other tables of a mail are its layout. */
export const tableOfCells = 'cells'

/**
 * The text part of a mail, made from its HTML. Each link with words is on a separate line, so that
 * mail programs link all of it.
 */
export function emailAsText(html: string): string {
  const plainText = convert(html, {
    wordwrap: false,
    formatters: { linkOnItsOwnLine, description },
    selectors: [
      { selector: '[data-skip-in-text=true]', format: 'skip' },
      { selector: 'a', format: 'linkOnItsOwnLine' },
      { selector: 'img', format: 'description' },
      ...['h1', 'h2'].map((selector) => ({ selector, options: { uppercase: false } })),
      {
        selector: `table.${tableOfCells}`,
        format: 'dataTable',
        options: { uppercaseHeaderCells: false },
      },
      ...['td', 'th'].map((selector) => ({
        selector,
        format: 'block',
        options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
      })),
    ],
  })
  const lines = plainText.replaceAll(afterLink, '\n').replaceAll(/\n{3,}/g, '\n\n')
  return `${lines.trim()}\n`
}

/** A character for private use marks the end of a link until the text is whole. */
const linkEnd = '\u{E002}'
/** A full stop there would become a part of the link. */
const afterLink = /\u{E002}\.? *\n?/gu

const description: FormatCallback = ({ attribs }, _walk, builder) =>
  builder.addInline(attribs.alt ?? '')

const linkOnItsOwnLine: FormatCallback = ({ children, attribs }, walk, builder) => {
  const address = attribs.href.replace(/^mailto:(?!.*\?)/, '')
  const isBare = children.length === 1 && children[0]?.data === address
  if (!isBare) walk(children, builder)
  builder.addLiteral(isBare ? address : `:\n${address}${linkEnd}`)
}
