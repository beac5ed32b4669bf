/** What the owner's pages send nests five deep. */
const maxDepth = 10
const maxValues = 100_000

/**
 * Looks through JSON before a parser does: one nested ten million deep takes it and what reads the
 * result many seconds. Whether it is valid is for the parser to say.
 */
export function isPlainJson(json: string): boolean {
  let depth = 0
  let values = 0
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case '"':
        at = endOfText(json, at)
        break
      case '[':
      case '{':
        depth += 1
        values += 1
        break
      case ']':
      case '}':
        depth -= 1
        break
      case ',':
        values += 1
        break
      default: // part of a number or a word
    }
    if (depth > maxDepth || values > maxValues) return false
  }
  return true
}

/** The position of the quote that ends a text. */
function endOfText(json: string, start: number): number {
  let end = start
  do {
    end = json.indexOf('"', end + 1)
    if (end === -1) return json.length
  } while (isEscaped(json, end))
  return end
}

function isEscaped(json: string, quote: number): boolean {
  let first = quote
  while (json[first - 1] === '\\') first -= 1
  return (quote - first) % 2 === 1
}
