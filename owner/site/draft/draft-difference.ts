import { defaultContent } from '#content/content.ts'
import { type ContentValue, fieldAt, valueAt } from '#site/words/description.ts'
import type { Difference } from '#site/words/difference.ts'

/** Where the draft keeps the paths of texts that the owner called true of their own script. */
export const stillTruePath = 'stillTrue'

export type Texts = Readonly<Record<string, ContentValue>>

/**
 * Returns how the page would differ with the texts of a draft. A text that is ours again is left
 * out.
 */
export function asDifference({ [stillTruePath]: stillTrue, ...texts }: Texts): Difference {
  const own = Object.entries(texts).filter(([path, value]) => !isSame(value, textAt({}, path)))
  return {
    texts: Object.fromEntries(own),
    stillTrue: Array.isArray(stillTrue) ? stillTrue.map(String) : [],
  }
}

/** Returns the texts of a draft that would differ so. */
export function asTexts({ texts, stillTrue = [] }: Difference): Texts {
  return stillTrue.length > 0 ? { ...texts, [stillTruePath]: stillTrue } : texts
}

/** The words of a field, or the entries of a list. */
export function textAt(texts: Texts, path: string): ContentValue {
  const empty = fieldAt(path)?.kind === 'list' || path === stillTruePath ? [] : ''
  return texts[path] ?? valueAt(defaultContent, path) ?? empty
}

/** False: the page has no such text any more, or it is fixed. */
export function isKnownText(path: string): boolean {
  if (path === stillTruePath) return true
  const field = fieldAt(path)
  if (!field) return false
  return !('fixed' in field && field.fixed)
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
