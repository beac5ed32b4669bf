/** The values of a message's places, by what stands there in the template. */
export type PlaceValues = ReadonlyMap<string, string>

/** The differences of a message from a template. */
export interface Match {
  readonly values: PlaceValues
  /** Keys of the template that the message lacks, such as `order.amount`. */
  readonly missing: readonly string[]
  /** Keys that the template does not have. */
  readonly unknown: readonly string[]
  /** Keys in other capitals than the template's, with the template's. */
  readonly capitals: readonly { readonly given: string; readonly wanted: string }[]
  /** Keys with another value than the template has, as it stands in the message. */
  readonly different: readonly { readonly key: string; readonly value: string }[]
  /** Keys whose value must stand without quotation marks, or in them. */
  readonly quoted: readonly string[]
  readonly unquoted: readonly string[]
}

/** A match without a fault. */
export function wholeMatch(values: PlaceValues): Match {
  const none = { missing: [], unknown: [], capitals: [], different: [], quoted: [], unquoted: [] }
  return { values, ...none }
}

/** Counts the keys that are not as in the template. */
export function faultsIn(match: Match): number {
  const { values: _, ...faults } = match
  return Object.values(faults).reduce((sum, keys) => sum + keys.length, 0)
}

/**
 * Compares a message with a template. JSON is compared key by key, whatever its white space and
 * order; text must be the template's, so `undefined` is the answer if it is not.
 */
export function matchMessage(template: string, message: string, json: unknown): Match | undefined {
  const wanted = templateAsJson(template)
  if (wanted === undefined) {
    const values = matchText(withPlainSpaces(template), withPlainSpaces(message))
    return values && wholeMatch(values)
  }
  if (!isObject(json)) return undefined
  const found: Found = {
    values: new Map(),
    missing: [],
    unknown: [],
    capitals: [],
    different: [],
    quoted: [],
    unquoted: [],
  }
  compareObjects(wanted, json, '', found)
  return found
}

type JsonObject = Readonly<Record<string, unknown>>

/** Begins a place of a template that stands without quotes: for a number. */
const bare = '\0'

/** The object that the template is. Returns undefined for a line of text. */
function templateAsJson(template: string): JsonObject | undefined {
  if (!template.trimStart().startsWith('{')) return undefined
  const quoted = template.replaceAll(/"(?:[^"\\]|\\.)*"|\{\{[^{}]+\}\}|YOUR-[A-Z-]+/g, (piece) =>
    piece.startsWith('"') ? piece : JSON.stringify(bare + piece),
  )
  try {
    const parsed: unknown = JSON.parse(quoted)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

type Writable<List> = {
  -readonly [Key in keyof List]: List[Key] extends readonly (infer One)[] ? One[] : List[Key]
}
interface Found extends Writable<Omit<Match, 'values'>> {
  readonly values: Map<string, string>
}

function compareObjects(wanted: JsonObject, given: JsonObject, path: string, found: Found): void {
  const inCapitals = new Map(Object.keys(wanted).map((key) => [key.toLowerCase(), key]))
  const values = new Map<string, unknown>()
  for (const [key, value] of Object.entries(given)) {
    const other = inCapitals.get(key.toLowerCase())
    if (Object.hasOwn(wanted, key)) values.set(key, value)
    else if (other === undefined || Object.hasOwn(given, other)) found.unknown.push(path + key)
    else {
      values.set(other, value)
      found.capitals.push({ given: path + key, wanted: path + other })
    }
  }
  for (const [key, expected] of Object.entries(wanted)) {
    const value = values.get(key)
    if (!values.has(key)) found.missing.push(path + key)
    else if (isObject(expected) && isObject(value)) {
      compareObjects(expected, value, `${path}${key}.`, found)
    } else compareValues(expected, value, path + key, found)
  }
}

function compareValues(expected: unknown, value: unknown, key: string, found: Found): void {
  const isBare = typeof expected === 'string' && expected.startsWith(bare)
  const template = String(expected).replaceAll(bare, '')
  const places = isObject(value) ? undefined : matchText(template, String(value))
  if (!places) {
    found.different.push({ key, value: typeof value === 'string' ? value : JSON.stringify(value) })
    return
  }
  for (const [place, text] of places) found.values.set(place, text)
  if (isUnfilled(String(value)) || typeof expected !== 'string') return
  if (isBare && typeof value === 'string' && number.test(value)) found.quoted.push(key)
  if (!isBare && typeof value !== 'string') found.unquoted.push(key)
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
export function findPlaces(
  template: string,
  text: string,
  mayStandIn: (place: string, value: string) => boolean = fits,
): FoundPlace[] | undefined {
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
    if (!mayStandIn(place, text.slice(start, end))) return undefined
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
const positive = /^(?=[\d.]*[1-9])\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
const position = /^(?:long|short|flat)$/

/** The forms of places. Every other place takes any text. */
const forms: Readonly<Record<string, RegExp>> = {
  '{{strategy.order.action}}': /^(?:buy|sell)$/,
  '{{command}}': /^(?:buy|sell|closelong|closeshort)$/,
  '{{strategy.market_position}}': position,
  '{{strategy.prev_market_position}}': position,
  '{{ticker}}': /^[^\s,={}]+$/,
  '{{close}}': number,
  '{{strategy.order.price}}': number,
  '{{strategy.order.contracts}}': positive,
  '{{strategy.position_size}}': number,
  '{{size}}': positive,
  '{{stop}}': positive,
  '{{target}}': positive,
  'YOUR-LOTS': positive,
  'YOUR-LICENSE-ID': /^[^\s,"']+$/,
  'YOUR-KEYS': /^[^\s,"'()]+$/,
}

/** A place that was not filled in fits as well: the reader is told of it. */
export function fits(place: string, value: string): boolean {
  if (isUnfilled(value)) return true
  return value !== '' && (forms[place]?.test(value) ?? true)
}

export function isNumber(place: string): boolean {
  return forms[place] === number || forms[place] === positive
}

/**
 * Finds the values in a line of text that do not fit their places in the template. Returns none if
 * at least half do not: the line is another message.
 */
export function misfitsIn(template: string, text: string): readonly Misfit[] {
  const plain = withPlainSpaces(text)
  const found = findPlaces(withPlainSpaces(template), plain, (_, value) => value !== '') ?? []
  const values = found.map(({ place, start, end }) => ({ place, value: plain.slice(start, end) }))
  const misfits = values.filter(({ place, value }) => !fits(place, value))
  return misfits.length < values.length - misfits.length ? misfits : []
}

/** A value that does not fit where it stands. */
export interface Misfit {
  readonly place: string
  readonly value: string
}

export function isUnfilled(value: string): boolean {
  return /^(?:\{\{[^{}]+\}\}|YOUR-[A-Z-]+)$/.test(value)
}

export function withPlainSpaces(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** True if the template makes the line of text, whatever its spaces and capitals. */
export function isAlikeInPlain(template: string, text: string): boolean {
  const plain = (piece: string) => piece.replaceAll(/\s+/g, '').toLowerCase()
  const pieces = template.split(places).map((piece, index) => (index % 2 ? piece : plain(piece)))
  return findPlaces(pieces.join(''), plain(text)) !== undefined
}
