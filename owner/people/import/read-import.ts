import { type EmailAddress, parseEmailAddress } from '#contract/email-address.ts'
import { type Cover, covers } from '#server/subscribers/wordings.ts'
import { CommandError, UsageError } from '#owner/acts/command-context.ts'
import { momentForm, parseMoment } from '#owner/acts/parse-moment.ts'
import { readCsv, readHeader } from '#owner/acts/read-csv.ts'
import {
  findColumns,
  findLeftColumns,
  type ImportColumns,
  type ImportField,
  type LeftColumn,
  saysLeft,
} from './import-columns.ts'

export interface ImportOptions {
  /** They are found by their names if it is undefined. */
  columns?: ImportColumns | undefined
  /** The name of the column that says who has left. Undefined: those that other tools use. */
  statusColumn?: string | undefined
  /** All agreed then, unless their line says when. */
  consentedAt?: number | undefined
  now: number
}

/** Somebody to be put on the list. Times are ms since 1970. */
export interface NewPerson extends EmailAddress {
  signedUpAt: number
  consentedAt: number | null
  cover: Cover
}

/** Somebody in a file. */
export interface ImportedPerson extends NewPerson {
  line: number
}

/** A line that is not imported. */
export interface RefusedLine {
  line: number
  /** The fault of the line, with its words. */
  why: string
  /** The same without its words: lines with the same reason are counted together. */
  reason: string
}

export interface ReadImport {
  people: ImportedPerson[]
  refused: RefusedLine[]
}

/**
 * Reads a CSV file whose first line names the columns. Throws a CommandError, with a sentence for
 * the owner, if the file as a whole cannot be used.
 */
export async function readImport(file: Buffer, options: ImportOptions): Promise<ReadImport> {
  const { consentedAt, now } = options
  if (consentedAt !== undefined && consentedAt > now) {
    throw new UsageError('The day of their consent is in the future.')
  }
  const records = readCsv(file)
  const first = await records.next()
  const header = first.done ? [] : first.value.fields
  const columns = chooseColumns(header, options)
  const context = { header, columns, leftColumns: findLeftColumns(header, columns.status), now }
  const people: ImportedPerson[] = []
  const refused: RefusedLine[] = []
  for await (const { line, fields } of records) {
    const address = addressOf(fields, columns)
    const problem = problemOf(fields, address, context)
    if (problem) refused.push({ line, ...problem })
    if (address && !problem) people.push({ line, ...address, ...timesOf(fields, columns, options) })
  }
  return { people, refused }
}

/** Returns the names of a file's columns, and which are found by their names. */
export async function readImportHeader(
  file: Buffer,
): Promise<{ names: string[]; columns: ImportColumns }> {
  const names = await readHeader(file)
  return { names, columns: findColumns(names) }
}

function chooseColumns(
  header: readonly string[],
  { columns: chosen, statusColumn }: ImportOptions,
): ImportColumns {
  const columns = { ...(chosen ?? findColumns(header)) }
  const named = header.map((name) => `"${name}"`).join(', ') || 'none'
  if (columns.email === undefined) {
    throw new CommandError(
      `No column has the addresses. The columns are: ${named}. The first line must name the ` +
        'columns, one of them "email".',
    )
  }
  if (statusColumn !== undefined) {
    columns.status = header.indexOf(statusColumn)
    if (columns.status === -1) {
      throw new UsageError(`There is no column "${statusColumn}". The columns are: ${named}.`)
    }
  }
  return columns
}

interface LineContext {
  header: readonly string[]
  columns: ImportColumns
  leftColumns: LeftColumn[]
  now: number
}

type Problem = Omit<RefusedLine, 'line'>

function problemOf(
  fields: readonly string[],
  address: EmailAddress | undefined,
  context: LineContext,
): Problem | undefined {
  const { columns, leftColumns } = context
  if (!address) {
    const reason = 'not an email address'
    return { why: `"${valueOf(fields, columns, 'email')}" is ${reason}`, reason }
  }
  const left = leftColumns.find((column) => saysLeft(column, fields[column.index] ?? ''))
  if (left) {
    return {
      why: `the column "${left.name}" says "${fields[left.index]}"`,
      reason: `the column "${left.name}" says that they have left`,
    }
  }
  return (
    problemOfDate('signedUpAt', fields, context) ?? problemOfDate('consentedAt', fields, context)
  )
}

function problemOfDate(
  field: 'signedUpAt' | 'consentedAt',
  fields: readonly string[],
  { header, columns, now }: LineContext,
): Problem | undefined {
  const text = valueOf(fields, columns, field)
  if (text === '') return undefined
  if (!momentForm.test(text)) {
    const column = header[columns[field]!] ?? ''
    const form =
      'not written like 2026-11-21 or 2026-11-21T09:30:00Z, so day and month could be mixed up'
    return {
      why: `"${text}" under "${column}" is ${form}`,
      reason: `the date under "${column}" is ${form}`,
    }
  }
  if ((parseMoment(text)?.ms ?? Infinity) <= now) return undefined
  return {
    why: `"${text}" is not a date, or is in the future`,
    reason: 'the date does not exist, or is in the future',
  }
}

function timesOf(
  fields: readonly string[],
  columns: ImportColumns,
  { consentedAt, now }: ImportOptions,
): Pick<NewPerson, 'signedUpAt' | 'consentedAt' | 'cover'> {
  const agreedAt = parseMoment(valueOf(fields, columns, 'consentedAt'))?.ms ?? consentedAt
  return {
    signedUpAt: parseMoment(valueOf(fields, columns, 'signedUpAt'))?.ms ?? agreedAt ?? now,
    consentedAt: agreedAt ?? null,
    cover: coverOf(valueOf(fields, columns, 'cover')),
  }
}

/**
 * A consent that does not say what it covers takes part in the series by its date. A word that is
 * not known never widens a consent.
 */
function coverOf(text: string): Cover {
  if (text === '') return 'series'
  return covers.find((cover) => cover === text) ?? 'versions'
}

/** The export puts an apostrophe before what a spreadsheet would run as a formula. */
function addressOf(fields: readonly string[], columns: ImportColumns): EmailAddress | undefined {
  return parseEmailAddress(valueOf(fields, columns, 'email').replace(/^'(?=[=+\-@])/, ''))
}

function valueOf(fields: readonly string[], columns: ImportColumns, field: ImportField): string {
  const index = columns[field]
  return index === undefined ? '' : (fields[index] ?? '')
}
