/**
 * Puts each value in the place of its `{name}`. A name without a value is a mistake in the text:
 * it throws. TradingView's `{{name}}` stays as it is.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return splitAtNames(text)
    .map((piece) => (typeof piece === 'string' ? piece : valueOf(piece.name, values, text)))
    .join('')
}

/** A text in pieces: words as they stand, and the names between them. */
export function splitAtNames(text: string): (string | { name: string })[] {
  const pieces: (string | { name: string })[] = []
  let end = 0
  for (const { 0: found, 1: name, index } of text.matchAll(/\{\{[^{}]*\}\}|\{(\w+)\}/g)) {
    if (name === undefined) continue
    pieces.push(text.slice(end, index), { name })
    end = index + found.length
  }
  pieces.push(text.slice(end))
  return pieces.filter((piece) => piece !== '')
}

/** The value of a name in a text, which says where it is missing. */
export function valueOf<Value>(
  name: string,
  values: Readonly<Record<string, Value>>,
  text: string,
): Value {
  const value = values[name]
  if (value === undefined) throw new Error(`There is no value for {${name}} in "${text}"`)
  return value
}
