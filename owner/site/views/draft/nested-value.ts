import { type ContentValue, fieldAt } from '#site/words/description.ts'

/** A text in an entry of a list is saved with its list. Returns the path of what is saved. */
export function rootPath(path: string): string {
  const names = path.split('.')
  const above = names.map((_, index) => names.slice(0, index + 1).join('.'))
  return above.find((one) => fieldAt(one)) ?? path
}

/** The path of a text within what is saved. Empty: it is saved by itself. */
export function pathWithin(root: string, path: string): string {
  return path.slice(`${root}.`.length)
}

/** A copy of `value` with another value at the path below it. */
export function withValue(value: ContentValue, below: string, inner: ContentValue): ContentValue {
  if (below === '') return inner
  const [name = '', ...rest] = below.split('.')
  if (Array.isArray(value)) {
    return value.map((entry: ContentValue, index) =>
      String(index) === name ? withValue(entry, rest.join('.'), inner) : entry,
    )
  }
  const named = value as { readonly [name: string]: ContentValue } // what else has names
  return { ...named, [name]: withValue(named[name] ?? {}, rest.join('.'), inner) }
}
