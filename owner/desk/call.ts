import type { IncomingMessage } from 'node:http'
import type { ExtensionContext } from '#server/start/extension.ts'
import type { DeskApi, DeskError } from './contract.ts'

export interface DeskContext extends ExtensionContext {
  ownerEmail: string
  /** The project's, with dist/ in it. */
  folder: string
  /** As this process last saw. */
  isMailStuck: () => boolean
}

/** One request for an address of the contract. */
export interface Call extends DeskContext {
  request: IncomingMessage
  /** The number in the path, or 0. */
  id: number
  fields: Fields
  /** Keyed hash of the network that it came from. */
  network: string
  /** Hash of the session's row. Empty: nobody is signed in. */
  session: string
  /** Its row in the audit, or 0. */
  act: number
  /** Sent with the answer. */
  headers: Record<string, string>
}

/** `proved`: signed in within the last 15 minutes. */
export interface Route<Back> {
  for: 'anybody' | 'owner' | 'proved'
  /** Written to the audit. Absent: nothing is changed. */
  act?: string
  answer(call: Call): Promise<Back | Refused | Download | Page>
}

export type Routes = { [Name in keyof DeskApi]: Route<DeskApi[Name][1]> }

/** An expected outcome that is not the wanted one. */
export class Refused {
  readonly error: DeskError['error']
  constructor(code: DeskError['error']['code'], message: string, more: Partial<DeskError['error']> = {}) {
    this.error = { ...more, code, message }
  }
}

/** A file, answered instead of JSON. */
export class Download {
  readonly name: string
  readonly text: AsyncIterable<string>
  constructor(name: string, text: AsyncIterable<string>) {
    this.name = name
    this.text = text
  }
}

/** HTML for the desk to read, answered instead of JSON. */
export class Page {
  readonly html: string
  constructor(html: string) {
    this.html = html
  }
}

/** Thrown where a field of a request is read; the request is answered with 422. */
export class InvalidField extends Error {}

export type Fields = ReturnType<typeof readerOf>

/** Reads the fields of a body or a query, in which numbers are text. */
export function readerOf(fields: Readonly<Record<string, unknown>>) {
  const read = <Value>(name: string, what: string, parse: (value: unknown) => Value | undefined): Value => {
    const value = parse(fields[name])
    if (value === undefined) throw new InvalidField(`"${name}" must be ${what}.`)
    return value
  }
  const optional = <Value>(name: string, reading: (name: string) => Value): Value | undefined =>
    fields[name] === undefined || fields[name] === '' ? undefined : reading(name)
  const text = (name: string, most = 1_000) =>
    read(name, `text of at most ${most} characters`, (value) =>
      typeof value === 'string' && value.length <= most ? value : undefined,
    )
  const number = (name: string) => read(name, 'a whole number above zero', asNumber)
  return {
    text,
    number,
    optional,
    flag: (name: string) =>
      read(name, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined)),
    day: (name: string) =>
      read(name, 'a day such as 2026-11-22', (value) =>
        typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !isNaN(Date.parse(value))
          ? value
          : undefined,
      ),
    oneOf: <Choice extends string>(name: string, choices: readonly Choice[]) =>
      read(name, `one of ${choices.join(', ')}`, (value) => choices.find((one) => one === value)),
    numbers: (name: string) =>
      read(name, 'a list of at most 200 whole numbers', (value) => {
        const numbers = Array.isArray(value) && value.length <= 200 ? value.map(asNumber) : [undefined]
        return numbers.every((one) => one !== undefined) ? numbers : undefined
      }),
    /** Checked by whoever it is passed on to. */
    object: (name: string) =>
      read(name, 'an object', (value) => (typeof value === 'object' && value !== null ? value : undefined)),
  }
}

function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined
}
