/** Reads one field of a body, or of a query, in which numbers are text. */
interface Field<Value> {
  read(value: unknown, name: string): Value
}
export type Fields = Record<string, Field<unknown>>
export type NoFields = { [name: string]: never }
type Read<Shape extends Fields> = { [Name in keyof Shape]: ReturnType<Shape[Name]['read']> }
type OptionalName<Values> = {
  [Name in keyof Values]: undefined extends Values[Name] ? Name : never
}[keyof Values]

/** The content of a request with these fields. */
export type Sent<Shape extends Fields> = Omit<Read<Shape>, OptionalName<Read<Shape>>> & {
  [Name in OptionalName<Read<Shape>>]?: Exclude<Read<Shape>[Name], undefined>
}

/** The request is answered with 422. */
export class InvalidField extends Error {}

export function readFields(fields: Fields, values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.read(values[name], name)]))
}

function field<Value>(what: string, parse: (value: unknown) => Value | undefined): Field<Value> {
  return {
    read(value, name) {
      const parsed = parse(value)
      if (parsed === undefined) throw new InvalidField(`"${name}" must be ${what}.`)
      return parsed
    },
  }
}

export function optional<Value>(one: Field<Value>): Field<Value | undefined> {
  return { read: (value, name) => (value === undefined || value === '' ? undefined : one.read(value, name)) }
}

export function textUpTo(most: number) {
  return field(`text of at most ${most} characters`, (value) =>
    typeof value === 'string' && value.length <= most ? value : undefined,
  )
}

export const text = textUpTo(1_000)

export const number = field('a whole number above zero', asNumber)

export const numbers = field('a list of at most 200 whole numbers', (value) => {
  const found = Array.isArray(value) && value.length <= 200 ? value.map(asNumber) : [undefined]
  return found.every((one) => one !== undefined) ? found : undefined
})

export const flag = field('true or false', (value) => (typeof value === 'boolean' ? value : undefined))

export const day = field('a day such as 2026-11-22', (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !isNaN(Date.parse(value))
    ? value
    : undefined,
)

/** Checked by the library that it is passed on to. */
export const object = field('an object', (value) =>
  typeof value === 'object' && value !== null ? value : undefined,
)

export function oneOf<const Choice extends string | number>(choices: readonly Choice[]) {
  return field(`one of ${choices.join(', ')}`, (value) => choices.find((one) => String(one) === value))
}

function asNumber(value: unknown): number | undefined {
  const found = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof found === 'number' && Number.isSafeInteger(found) && found > 0 ? found : undefined
}
