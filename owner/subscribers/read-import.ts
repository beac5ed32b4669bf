import { parseEmailAddress } from '#contract/email-address.ts'
import { CommandError, UsageError } from '../command-line/command-context.ts'
import { lettersOf, readCsv, readHeader } from '../command-line/read-csv.ts'
import { momentForm, parseMoment } from '../command-line/parse-moment.ts'

export type ImportField = 'email' | 'signedUpAt' | 'consentedAt' | 'cover'
/** The position of each field in a line, from 0. */
export type ImportColumns = Partial<Record<ImportField, number | undefined>>

/**
 * Names of columns, in lower case and letters only. The first of each is that of our own export.
 */
const columnNames: Record<ImportField, string[]> = {
  email: ['email', 'emailaddress'],
  signedUpAt: ['signedupat', 'createdat', 'subscribedat', 'optintime'],
  consentedAt: ['announcementsagreedat', 'consentedat'],
  cover: ['announcementscover'],
}

export interface ImportOptions {
  /** Undefined: found by their names. */
  columns?: ImportColumns | undefined
  /** All agreed then, unless their line says when. */
  consentedAt?: number | undefined
  now: number
}

/**
 * Reads a CSV file whose first line names the columns. Throws a CommandError, with a sentence for
 * the owner, if the file as a whole cannot be used.
 */
export async function readImport(text: string, options: ImportOptions) {
  const refused: { line: number; why: string }[] = []
  const records = readCsv(text)
  const header = await records.next()
  const readLine = lineReader(header.done ? [] : header.value.fields, options)
  const people: Exclude<ReturnType<typeof readLine>, string>[] = []
  for await (const { line, fields } of records) {
    const read = readLine(line, fields)
    if (typeof read === 'string') refused.push({ line, why: read })
    else people.push(read)
  }
  return { people, refused }
}

/** Returns the names of a file's columns, and which are found by their names. */
export async function readImportHeader(
  text: string,
): Promise<{ names: string[]; columns: ImportColumns }> {
  const names = await readHeader(text)
  return { names, columns: findColumns(names) }
}

const noEmail =
  'No column has the addresses. The first line must name the columns, one of them "email".'
function findColumns(header: readonly string[]): ImportColumns {
  const names = header.map(lettersOf)
  const found = Object.entries(columnNames).flatMap(([field, known]) => {
    const index = names.findIndex((name) => known.includes(name))
    return index === -1 ? [] : [[field, index]]
  })
  return Object.fromEntries(found)
}

function lineReader(
  header: readonly string[],
  { columns = findColumns(header), consentedAt, now }: ImportOptions,
) {
  if (columns.email === undefined) throw new CommandError(noEmail)
  if (consentedAt !== undefined && consentedAt > now) {
    throw new UsageError('The day of their consent is in the future.')
  }
  const fineValues = header.map(fineValuesOf)
  /** Returns why a line is refused, or its person, with times in ms since 1970. */
  return (line: number, record: readonly string[]) => {
    const field = (name: ImportField) => record[columns[name] ?? -1]?.trim() ?? ''
    // The export puts an apostrophe before what a spreadsheet would run as a formula.
    const email = parseEmailAddress(field('email').replace(/^'(?=[=+\-@])/, ''))
    if (!email) return `"${field('email')}" is not an email address`
    const away = record.findIndex(
      (value, index) => fineValues[index]?.has(value.toLowerCase()) === false,
    )
    if (away !== -1) return `the column "${header[away]}" says "${record[away]}"`
    for (const name of ['signedUpAt', 'consentedAt'] as const) {
      const text = field(name)
      if (text === '') continue
      if (!momentForm.test(text)) {
        throw new CommandError(
          `Line ${line}: "${text}" under "${header[columns[name]!] ?? ''}" is not written like 2026-11-21 or ` +
            '2026-11-21T09:30:00Z, so day and month could be mixed up. Write the dates of this column again, or rename ' +
            'the column. Nothing was imported.',
        )
      }
      if ((parseMoment(text)?.ms ?? Infinity) > now) {
        return `"${text}" is not a date, or is in the future`
      }
    }
    const agreedAt = parseMoment(field('consentedAt'))?.ms ?? consentedAt
    return {
      line,
      ...email,
      signedUpAt: parseMoment(field('signedUpAt'))?.ms ?? agreedAt ?? now,
      consentedAt: agreedAt ?? null,
      cover: field('cover') === 'versions' ? 'versions' : 'news',
    }
  }
}

/** Columns of other tools that tell if somebody is on their list. */
const statusColumn =
  /^(?:(?:email|contact|member|subscriber|subscription)?(?:status|state)|(?:is)?subscribed(?!at$|on$|date$|time$).*)$/
const onTheList = new Set('active subscribed enabled confirmed true yes 1'.split(' ').concat(''))
/** Columns that tell if or when somebody left. */
const leftColumn = /^(?:is)?(?:unsub|optedout|optout|bounc|complain|block|blacklist|suppress|clean)/
const notLeft = new Set(['', 'false', 'no', '0'])

/** A column's answer if somebody is to be mailed. Undefined: it does not tell. */
function fineValuesOf(name: string): Set<string> | undefined {
  const letters = lettersOf(name)
  if (leftColumn.test(letters)) return notLeft
  return statusColumn.test(letters) ? onTheList : undefined
}
