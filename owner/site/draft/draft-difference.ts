import { type ContentValue, fieldAt, valueAt } from '#site/words/description.ts'
import { defaultsFor, type OwnKinds } from '#site/words/defaults.ts'
import type { Difference } from '#site/words/difference.ts'

export type Texts = Readonly<Record<string, ContentValue>>

/**
 * Returns how the page would differ with the texts of a draft, and with its files. A text that is
 * the default again is left out.
 */
export function asDifference(texts: Texts, own: OwnKinds): Difference {
  const changed = Object.entries(texts).filter(
    ([path, value]) => !isSame(value, textAt({}, path, own)),
  )
  return { texts: Object.fromEntries(changed) }
}

/** The words of a field, or the entries of a list. `own`: the owner's files. */
export function textAt(texts: Texts, path: string, own: OwnKinds): ContentValue {
  const empty = fieldAt(path)?.kind === 'list' ? [] : ''
  return texts[path] ?? valueAt(defaultsFor(own), path) ?? empty
}

/** Returns false if the page has no such text any more. */
export function isKnownText(path: string): boolean {
  return fieldAt(path) !== undefined
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
