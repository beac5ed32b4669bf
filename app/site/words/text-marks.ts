import type { Content } from '#content/content.ts'
import {
  allFields,
  type ContentValue,
  entryFields,
  type Field,
  setAt,
  type TextField,
  valueAt,
} from './description.ts'

// Each text of a preview stands between two marks, of which the first holds its path: whatever
// becomes of the text in a document, its place can be found. The marks are characters for private
// use beyond those of any font, so that no text of an owner holds them.
const opening = '\u{FFFFC}'
const closing = '\u{FFFFD}'
/** A letter of a path stands as the one so far behind it. */
const pathOffset = 0xf_0000
/** The characters of a path, in the marks' own alphabet. */
const pathLetters = '[\u{F0020}-\u{F007E}]'

/** A path and its text, as they stand in a marked document. */
export const marks = new RegExp(`${opening}(${pathLetters}+)|${closing}`, 'gu')

export function markText(path: string, text: string): string {
  const letters = Array.from(path, (letter) => pathOffset + letter.charCodeAt(0))
  return opening + String.fromCodePoint(...letters) + text + closing
}

/** `letters`: of a mark. */
export function pathOf(letters: string): string {
  return Array.from(letters, (letter) =>
    String.fromCharCode(letter.codePointAt(0)! - pathOffset),
  ).join('')
}

export function hasMarks(text: string): boolean {
  return text.includes(opening) || text.includes(closing)
}

export function withoutMarks(text: string): string {
  return text.replaceAll(marks, '')
}

/** The content with each text that visitors read between marks. */
export function markTexts<Words extends Content>(content: Words): Words {
  const marked = structuredClone(content)
  for (const field of allFields()) markField(marked, field)
  return marked
}

function markField(content: Content, field: Field): void {
  const value = valueAt(content, field.path)
  if (field.kind === 'list') {
    const entries: readonly ContentValue[] = Array.isArray(value) ? value : []
    for (const index of entries.keys()) {
      for (const inner of entryFields(field, index)) markField(content, inner)
    }
  } else if (isRead(field) && typeof value === 'string' && value !== '') {
    setAt(content, field.path, markText(field.path, value))
  }
}

/** False for what a program reads: a link, a colour, a language. */
function isRead({ kind, format, outside, verbatim }: TextField): boolean {
  return (kind === 'text' || kind === 'lines') && !verbatim && !outside && !format
}
