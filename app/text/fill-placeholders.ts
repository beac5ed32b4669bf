import { escapeHtml } from './escape-html.ts'

/** What takes the place of a `{{name}}`, by name. */
export type PlaceholderTexts = Readonly<Record<string, string>>

/**
 * Puts each part as it stands, and each value safe for HTML, in the place of its `{{name}}`. A name
 * without either stays as it is.
 */
export function fillPlaceholders(
  text: string,
  values: PlaceholderTexts,
  parts: PlaceholderTexts = {},
): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const part = parts[name]
    if (part !== undefined) return part
    const value = values[name]
    return value === undefined ? placeholder : escapeHtml(value)
  })
}
