/** Why a text is no JSON, and where: both count from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly why: string
}

/**
 * The first fault of a text that JSON.parse refuses. Browsers word theirs differently, and most
 * name no place. Undefined: it is JSON.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const reader = new JsonReader(text)
  const why = reader.read()
  if (why === undefined) return undefined
  const before = text.slice(0, reader.at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, why }
}

const curly = /[“”„‟‘’«»]/
const maxDepth = 50

/** Reads on until the first fault; `at` is then its place. */
class JsonReader {
  at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  read(): string | undefined {
    this.#skipSpace()
    const fault = this.#value(0)
    if (fault !== undefined) return fault
    this.#skipSpace()
    return this.at < this.#text.length ? 'there is text after the end of the JSON' : undefined
  }

  #value(depth: number): string | undefined {
    const next = this.#next()
    if (next === '') return 'it ends too early'
    if (depth > maxDepth) return 'it has too many brackets inside each other'
    if (next === '{') return this.#list('}', () => this.#member(depth + 1))
    if (next === '[') return this.#list(']', () => this.#value(depth + 1))
    if (next === '"') return this.#string()
    const word = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/.exec(
      this.#text.slice(this.at, this.at + 100),
    )
    if (word) {
      this.at += word[0].length
      return undefined
    }
    if (curly.test(next)) return curlyQuotes
    if (this.#text.startsWith('{{', this.at)) return 'a placeholder was not replaced'
    if (next === ',' || next === '}' || next === ']') return 'a value is missing'
    return 'a value needs quotation marks'
  }

  /** Entries between brackets, with commas between them. */
  #list(end: string, entry: () => string | undefined): string | undefined {
    this.at += 1
    this.#skipSpace()
    if (this.#next() === end) {
      this.at += 1
      return undefined
    }
    for (;;) {
      const fault = entry()
      if (fault !== undefined) return fault
      this.#skipSpace()
      const next = this.#next()
      if (next === end) {
        this.at += 1
        return undefined
      }
      if (next === '') return `it ends before its last ${end}`
      if (next !== ',') return 'a comma is missing'
      const comma = this.at
      this.at += 1
      this.#skipSpace()
      if (this.#next() === end) {
        this.at = comma
        return `a comma stands before the ${end}`
      }
    }
  }

  #member(depth: number): string | undefined {
    const next = this.#next()
    if (curly.test(next)) return curlyQuotes
    if (next === '') return 'it ends before its last }'
    if (next !== '"') return 'a name needs quotation marks'
    const fault = this.#string()
    if (fault !== undefined) return fault
    this.#skipSpace()
    if (this.#next() !== ':') return 'a colon is missing'
    this.at += 1
    this.#skipSpace()
    return this.#value(depth)
  }

  #string(): string | undefined {
    const start = this.at
    this.at += 1
    for (; this.at < this.#text.length; this.at += 1) {
      const next = this.#next()
      if (next === '"') {
        this.at += 1
        return undefined
      }
      if (next === '\\') {
        const escape = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.exec(
          this.#text.slice(this.at, this.at + 6),
        )
        if (!escape) return 'a backslash stands for nothing'
        this.at += escape[0].length - 1
      } else if (next < ' ') {
        this.at = next === '\n' ? start : this.at
        return next === '\n' ? 'a quotation mark is missing' : 'a tab stands inside a text'
      }
    }
    this.at = start
    return 'a quotation mark is missing'
  }

  #skipSpace(): void {
    while (/^[ \t\r\n]$/.test(this.#next())) this.at += 1
  }

  #next(): string {
    return this.#text[this.at] ?? ''
  }
}

const curlyQuotes = 'a curly quotation mark: type a straight one, ". Chats and documents bend them'
