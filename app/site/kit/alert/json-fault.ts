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
  return why === undefined ? undefined : { ...placeIn(text, reader.at), why }
}

/** Counts from 1. */
export function placeIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/**
 * The names that an object of this JSON has twice: of the two values any reader may take its own.
 */
export function repeatedNames(json: string): string[] {
  const reader = new JsonReader(json)
  reader.read()
  return [...reader.repeated]
}

const curly = /[“”„‟‘’«»″＂]/
const maxDepth = 50

/** Reads on until the first fault; `at` is then its place. */
class JsonReader {
  at = 0
  readonly repeated = new Set<string>()
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  read(): string | undefined {
    this.#skipSpace()
    const fault = this.#value(0)
    if (fault !== undefined) return fault
    this.#skipSpace()
    if (this.at >= this.#text.length) return undefined
    if (this.#next() === ':') {
      this.at = 0
      return 'the first { is missing'
    }
    return this.#next() === '{'
      ? 'a second message begins, and there must be only one'
      : 'there is text after the end of the JSON'
  }

  #value(depth: number): string | undefined {
    const next = this.#next()
    if (next === '') return 'it ends too early'
    if (depth > maxDepth) return 'it has too many brackets inside each other'
    if (next === '{') {
      const names = new Set<string>()
      return this.#list('}', () => this.#member(depth + 1, names))
    }
    if (next === '[') return this.#list(']', () => this.#value(depth + 1))
    if (next === '"') return this.#string()
    const word = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/.exec(
      this.#text.slice(this.at, this.at + 100),
    )
    if (word) {
      this.at += word[0].length
      return undefined
    }
    const quotes = wrongQuotes(next)
    if (quotes !== undefined) return quotes
    if (this.#text.startsWith('{{', this.at)) return 'a placeholder was not replaced'
    if (next === ',' || next === '}' || next === ']') return 'a value is missing'
    if (this.#text.startsWith('NaN', this.at)) return 'NaN: TradingView had no number to put here'
    if (/[-+.\d]/.test(next)) return 'JSON does not know a number like this'
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
      if (next === '，') return 'a full-width comma, where a plain one belongs'
      if (next !== ',') return 'a comma is missing'
      const comma = this.at
      this.at += 1
      if (/^\d,\d/.test(this.#text.slice(comma - 1, comma + 2)) && end === '}') {
        this.at = comma
        return 'a comma stands inside a number: type a point'
      }
      this.#skipSpace()
      if (this.#next() === end) {
        this.at = comma
        return `a comma stands before the ${end}`
      }
    }
  }

  /** `names`: those before it, in the same object. */
  #member(depth: number, names: Set<string>): string | undefined {
    const next = this.#next()
    const quotes = wrongQuotes(next)
    if (quotes !== undefined) return quotes
    if (next === '') return 'it ends before its last }'
    if (next !== '"') return 'a name needs quotation marks'
    const start = this.at
    const fault = this.#string()
    if (fault !== undefined) return fault
    const name = String(JSON.parse(this.#text.slice(start, this.at)))
    if (names.has(name)) this.repeated.add(name)
    names.add(name)
    this.#skipSpace()
    if (this.#next() === '：') return 'a full-width colon, where a plain one belongs'
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
        return next === '\n' ? 'a quotation mark is missing' : 'a tab or the like stands in a text'
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

function wrongQuotes(next: string): string | undefined {
  if (curly.test(next)) {
    return 'a curly quotation mark: type a straight one, ". Chats and documents bend them'
  }
  if (/['`´]/.test(next)) return 'a single quotation mark: JSON has double ones, "'
  return next === '\\' ? 'a backslash stands before a quotation mark: delete it' : undefined
}
