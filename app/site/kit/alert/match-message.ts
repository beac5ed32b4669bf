/** The values of a message's places, by what stands there in the template. */
export type PlaceValues = ReadonlyMap<string, string>

/** The differences of a message from a template. */
export interface Match {
  readonly values: PlaceValues
  /** Keys of the template that the message lacks, such as `order.amount`. */
  readonly missing: readonly string[]
  /** Keys that the template does not have. */
  readonly unknown: readonly string[]
  /** Keys with another value than the template has. */
  readonly different: readonly string[]
}

export function isExact({ missing, unknown, different }: Match): boolean {
  return missing.length + unknown.length + different.length === 0
}

/**
 * Compares a message with a template. JSON is compared key by key, whatever its white space and
 * order; text must be the template's, so `undefined` is the answer if it is not.
 */
export function matchMessage(template: string, message: string, json: unknown): Match | undefined {
  const wanted = templateAsJson(template)
  if (wanted === undefined) {
    const values = matchText(withPlainSpaces(template), withPlainSpaces(message))
    return values && { values, missing: [], unknown: [], different: [] }
  }
  if (!isObject(json)) return undefined
  const found = { values: new Map<string, string>(), missing: [], unknown: [], different: [] }
  compareObjects(wanted, json, '', found)
  return found
}

type JsonObject = Readonly<Record<string, unknown>>

/** Returns undefined for a line of text. A place without quotes stands for a number. */
function templateAsJson(template: string): JsonObject | undefined {
  const quoted = template.replaceAll(/"(?:[^"\\]|\\.)*"|\{\{[^{}]+\}\}|YOUR-[A-Z-]+/g, (piece) =>
    piece.startsWith('"') ? piece : JSON.stringify(piece),
  )
  try {
    const parsed: unknown = JSON.parse(quoted)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

interface Found {
  readonly values: Map<string, string>
  readonly missing: string[]
  readonly unknown: string[]
  readonly different: string[]
}

function compareObjects(wanted: JsonObject, given: JsonObject, path: string, found: Found): void {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(wanted, key)) found.unknown.push(path + key)
  }
  for (const [key, expected] of Object.entries(wanted)) {
    const value = given[key]
    if (!Object.hasOwn(given, key)) found.missing.push(path + key)
    else if (isObject(expected) && isObject(value)) {
      compareObjects(expected, value, `${path}${key}.`, found)
    } else {
      const values = isObject(value) ? undefined : matchText(String(expected), String(value))
      if (values) for (const [place, text] of values) found.values.set(place, text)
      else found.different.push(path + key)
    }
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A place of a line of text, found in a message. */
export interface FoundPlace {
  readonly place: string
  readonly start: number
  readonly end: number
}

const places = /(\{\{[^{}]+\}\}|YOUR-[A-Z-]+)/

/**
 * Finds the places of a line of text, from the left: a value ends where the template's next words
 * begin. Undefined: the text is not made from the template.
 */
export function findPlaces(template: string, text: string): FoundPlace[] | undefined {
  const pieces = template.split(places)
  const found: FoundPlace[] = []
  const [first = ''] = pieces
  if (!text.startsWith(first)) return undefined
  let start = first.length
  for (let index = 1; index < pieces.length; index += 2) {
    const place = pieces[index] ?? ''
    const after = pieces[index + 1] ?? ''
    const isLast = index + 2 >= pieces.length
    const end = isLast ? text.length - after.length : text.indexOf(after, start)
    if (end < start || !text.startsWith(after, end)) return undefined
    if (!fits(place, text.slice(start, end))) return undefined
    found.push({ place, start, end })
    start = end + after.length
  }
  return start === text.length ? found : undefined
}

function matchText(template: string, text: string): PlaceValues | undefined {
  const found = findPlaces(template, text)
  return found && new Map(found.map(({ place, start, end }) => [place, text.slice(start, end)]))
}

const number = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
const position = /^(?:long|short|flat)$/

/** The forms of places. Every other place takes any text. */
const forms: Readonly<Record<string, RegExp>> = {
  '{{strategy.order.action}}': /^(?:buy|sell)$/,
  '{{command}}': /^(?:buy|sell|closelong|closeshort)$/,
  '{{strategy.market_position}}': position,
  '{{strategy.prev_market_position}}': position,
  '{{ticker}}': /^[^\s,]+$/,
  '{{close}}': number,
  '{{strategy.order.price}}': number,
  '{{strategy.order.contracts}}': number,
  '{{strategy.position_size}}': number,
  '{{size}}': number,
  '{{stop}}': number,
  '{{target}}': number,
}

/** A place that was not filled in fits as well: the reader is told of it. */
function fits(place: string, value: string): boolean {
  if (isUnfilled(value)) return true
  return value !== '' && (forms[place]?.test(value) ?? true)
}

export function isUnfilled(value: string): boolean {
  return /^(?:\{\{[^{}]+\}\}|YOUR-[A-Z-]+)$/.test(value)
}

export function withPlainSpaces(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
