/** The desk's own calls nest five deep. */
const maxDepth = 10
const maxValues = 100_000

/**
 * Looks through JSON before a parser does: to parse and read one that is nested ten million deep
 * takes many seconds. True does not mean that it is valid: the parser says that.
 */
export function isCheapToParse(json: string): boolean {
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
