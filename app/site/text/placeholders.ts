import { escapeHtml } from './escape-html.ts'

// A rendered document has `{name}` where the server puts a value in for each request or mail.
// While it is rendered the name stands between two characters for private use, which no text holds:
// so a `{name}` that is part of a text, such as a script, is not taken for one.
const opening = '\u{E000}'
const closing = '\u{E001}'

/** The place of a value in a document that is being rendered. */
export function placeholder(name: string): string {
  return opening + name + closing
}

/** The rendered HTML, with its `{names}`. */
export function writePlaceholders(html: string): string {
  return writePlaceholdersAsText(html.replaceAll(/\{(?=\w+\})/g, '&#123;'))
}

/**
 * The same for plain text and for the raw text of an element, which have no character references.
 */
export function writePlaceholdersAsText(text: string): string {
  return text.replaceAll(opening, '{').replaceAll(closing, '}')
}

/** The text for each `{name}`, by name. */
export type PlaceholderTexts = Readonly<Record<string, string>>

/**
 * Puts each part as it stands, and each value safe for HTML, in the place of its `{name}`. A name
 * without either stays as it is.
 */
export function fillPlaceholders(
  text: string,
  values: PlaceholderTexts,
  parts: PlaceholderTexts = {},
): string {
  return text.replace(/\{(\w+)\}/g, (found, name: string) => {
    const part = parts[name]
    if (part !== undefined) return part
    const value = values[name]
    return value === undefined ? found : escapeHtml(value)
  })
}

/**
 * A text that somebody typed, whose braces fillPlaceholders leaves alone. showTypedBraces turns
 * them back at the end.
 */
export function hideTypedBraces(text: string): string {
  return text.replaceAll(opening, '').replaceAll('{', opening)
}

export function showTypedBraces(text: string): string {
  return text.replaceAll(opening, '{')
}
