import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import { CsvError, type Info, parse } from 'csv-parse'
import { parseEmailAddress } from '#contract/email-address.ts'
import { abuseKeyColumn, type NewSubscriber } from '#server/subscribers/subscribers.ts'
import { CommandError } from '../command-line/command-context.ts'

/** Times are ms since 1970. */
export interface ImportedPerson extends Pick<NewSubscriber, 'identity' | 'address' | 'abuse_key'> {
  signed_up_at: number
  announcements_agreed_at: number | null
}

/** One row of a file. `bytes`: how much of the file was read by then. */
export type ImportRow = { line: number; bytes: number } & ReadRow
type ReadRow = { kind: 'person'; person: ImportedPerson } | { kind: 'refused'; why: string }

/** Names of columns in lower case and without anything but letters. The first of each is that of our own export. */
const columnNames = {
  email: ['email', 'emailaddress'],
  state: ['state'],
  signedUp: ['signedupat', 'createdat'],
  consented: ['announcementsagreedat', 'consentedat'],
}

/** Longer than any row. A quote that is never closed does not take the whole file into memory. */
const maxRowBytes = 64 * 1024
const options = {
  bom: true,
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
} as const

/** Reads a CSV file row by row. Its first line names the columns. */
export async function* readImport(file: string, now: number): AsyncGenerator<ImportRow> {
  const parser = parse({ ...options, delimiter: await separatorOf(file), max_record_size: maxRowBytes })
  pipeline(createReadStream(file), parser, () => {}) // an error of either ends the loop
  let fieldOf: ReturnType<typeof readHeader> | undefined
  try {
    // The option `info` adds the position to each record.
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const { lines: line, bytes } = info
      if (fieldOf) yield { line, bytes, ...readRow((name) => fieldOf!(record, name), now) }
      else fieldOf = readHeader(record)
    }
    if (!fieldOf) readHeader([])
  } catch (error) {
    if (error instanceof CsvError) throw new CommandError(`The rest cannot be read: ${error.message}.`)
    throw error
  }
}

async function separatorOf(file: string): Promise<string> {
  for await (const header of createInterface({ input: createReadStream(file, { end: maxRowBytes }) }))
    return [';', '\t'].find((separator) => header.includes(separator)) ?? ','
  return ','
}

function readHeader(header: readonly string[]) {
  const names = header.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ''))
  const indexOf = (name: keyof typeof columnNames) =>
    names.findIndex((one) => columnNames[name].includes(one))
  if (indexOf('email') === -1)
    throw new CommandError('The first line must name the columns, and one of them must be "email".')
  return (record: readonly string[], name: keyof typeof columnNames) => record[indexOf(name)] ?? ''
}

function readRow(field: (name: keyof typeof columnNames) => string, now: number): ReadRow {
  const refused = (why: string) => ({ kind: 'refused' as const, why })
  // The export puts an apostrophe before what a spreadsheet would run as a formula.
  const email = parseEmailAddress(field('email').replace(/^'(?=[=+\-@])/, ''))
  if (!email) return refused(`"${field('email')}" is not an email address`)
  if (!['', 'active'].includes(field('state'))) return refused(`the state is "${field('state')}"`)
  const [signedUp, consented] = [readTime(field('signedUp'), now), readTime(field('consented'), now)]
  if (signedUp === 'unreadable') return refused(`"${field('signedUp')}" is not a time of the past`)
  if (consented === 'unreadable') return refused(`"${field('consented')}" is not a time of the past`)
  const times = { signed_up_at: signedUp ?? now, announcements_agreed_at: consented }
  return { kind: 'person', person: { ...email, abuse_key: abuseKeyColumn(email.identity), ...times } }
}

/** ISO 8601, in UTC unless it says otherwise. Other notations mix up day and month. */
function readTime(text: string, now: number): number | null | 'unreadable' {
  if (text === '') return null
  const [, day, time = 'T00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  const ms = Date.parse(`${day}${time.replace(' ', 'T')}${zone}`)
  return Number.isNaN(ms) || ms > now ? 'unreadable' : ms
}
