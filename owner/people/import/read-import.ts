import { UsageError } from '#owner/acts/errors.ts'
import { counted } from '#owner/acts/output.ts'
import { readCsv, readHeader } from '#owner/people/table/read-csv.ts'
import {
  findPermissionColumns,
  findUnread,
  isEmpty,
  noteChoice,
  type PermissionColumn,
  readValue,
  type SaidValue,
  settleColumns,
  unclearIn,
  type ValueMeaning,
} from '../table/permission-columns.ts'
import {
  findColumns,
  type ImportColumns,
  type NamedColumns,
  nameColumns,
  positionsOf,
  requireAddresses,
} from './import-columns.ts'
import {
  type NewPerson,
  type Problem,
  problemOfAddress,
  problemOfDates,
  readPerson,
} from './read-person.ts'

export interface ImportOptions extends NamedColumns {
  /** Undefined: they are found by their names. */
  columns?: ImportColumns | undefined
  meanings?: readonly ValueMeaning[] | undefined
  /** All agreed then, unless their line says when. */
  consentedAt?: number | undefined
  now: number
}

/** Somebody in a file. */
export interface ImportedPerson extends NewPerson {
  line: number
}

/** A line that is not imported. */
export interface RefusedLine extends Problem {
  line: number
}

export interface ReadImport {
  people: ImportedPerson[]
  refused: RefusedLine[]
  /** The columns that said who may be mailed. */
  permissionColumns: PermissionColumn[]
  /** The names of columns that sound like consent or leaving, and were not used. */
  unread: string[]
  /** How many lines are neither, because a value is not understood. */
  unclear: number
}

/**
 * Reads a CSV file whose first line names the columns. Throws a CommandError, with a sentence for
 * the owner, if the file as a whole cannot be used.
 */
export async function readImport(file: Buffer, options: ImportOptions): Promise<ReadImport> {
  const { consentedAt, meanings = [], now } = options
  requirePast(consentedAt, now)
  const records = readCsv(file)
  const first = await records.next()
  const header = first.done ? [] : first.value.fields
  const columns = options.columns ?? nameColumns(header, options)
  requireAddresses(columns, header)
  const positions = positionsOf(columns)
  const candidates = findPermissionColumns(header, positions, columns.status)
  const choices = header.map(() => new Set<string>())

  const lines: ReadLine[] = []
  const refused: RefusedLine[] = []
  for await (const { line, fields } of records) {
    const person = readPerson(fields, columns, options)
    if (!person) {
      refused.push({ line, ...problemOfAddress(fields, columns) })
      continue
    }
    const said = candidates.map((column) => readValue(column, fields[column.index] ?? '', meanings))
    for (const [index, values] of choices.entries()) noteChoice(values, fields[index] ?? '')
    const problem = problemOfDates(fields, { header, columns, now })
    lines.push({ person: { line, ...person }, said, problem })
  }

  const permissionColumns = settleColumns(candidates)
  const people: ImportedPerson[] = []
  let unclear = 0
  for (const { person, said, problem: dateProblem } of lines) {
    const used = said.filter(({ column }) => permissionColumns.includes(column))
    const left = used.find(({ value }) => value.permission.kind === 'left')
    const problem = left ? problemOf(left) : dateProblem
    if (problem) refused.push({ line: person.line, ...problem })
    else if (used.some(({ value }) => value.permission.kind === 'unclear')) unclear += 1
    else people.push(person)
  }
  const read = [...permissionColumns, ...candidates.filter(isEmpty)].map(({ index }) => index)
  const unread = findUnread(header, { read: new Set([...positions, ...read]), choices })
  return { people, refused, permissionColumns, unread, unclear }
}

function requirePast(consentedAt: number | undefined, now: number): void {
  if (consentedAt === undefined || consentedAt <= now) return
  throw new UsageError('The day of their consent is in the future.')
}

interface ReadLine {
  person: ImportedPerson
  said: SaidValue[]
  problem: Problem | undefined
}

function problemOf({ column: { name }, text }: SaidValue): Problem {
  return {
    why: `the column "${name}" says "${text}"`,
    reason: `the column "${name}" says that they may not be mailed`,
  }
}

/** Throws if values are not understood, and names them. `help`: how to say what they mean. */
export function requireClear({ permissionColumns }: ReadImport, help: string): void {
  const lines = permissionColumns.flatMap((column) => {
    if (column.isTooVaried) return [`  "${column.name}": more than can be asked about`]
    return unclearIn(column).map(({ value, count }) => {
      const named = value.trim() === '' ? 'nothing' : `"${value}"`
      return `  "${column.name}" says ${named}: ${counted(count, 'line')}`
    })
  })
  if (lines.length === 0) return
  throw new UsageError(`May these people be mailed?\n${lines.join('\n')}\n${help}`)
}

/** Returns the names of a file's columns, and which are found by their names. */
export async function readImportHeader(
  file: Buffer,
): Promise<{ names: string[]; columns: ImportColumns }> {
  const names = await readHeader(file)
  return { names, columns: findColumns(names) }
}
