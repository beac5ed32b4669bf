import type { ContentValue } from '#site/words/description.ts'

/** A text, or a list with all that is in it, to be read. */
export function ShownValue({ value }: { value: ContentValue }) {
  return <>{asLines(value).join(' / ') || 'nothing'}</>
}

/** The texts in reading order. */
export function asLines(value: ContentValue): string[] {
  if (typeof value !== 'object') return [String(value)].filter((text) => text !== '')
  const inner: readonly ContentValue[] = Object.values(value)
  return inner.flatMap(asLines)
}
