import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CsvError, parse } from 'csv-parse/sync'
import { parseEmailAddress } from '#contract/email-address.ts'

/** One row of a file. */
export interface BounceRow {
  identities: string[]
  /** False: the row has a type, and it is not a permanent one. */
  isPermanent: boolean
}

interface Columns {
  separator: string
  /** The column of the bounced address. Other columns may hold the sender's. */
  address: number
  types: number[]
}

const addressNames =
  /^(?:bounced|final)?(?:e?mail(?:address)?|address|recipients?|to|rcpt(?:to)?)(?:e?mail|address)?$/
const typeNames = /^(?:bounce|event)?(?:type|class|classification|category|cat|status|event|severity)$/
const permanent = /hard|permanent|complain|invalid|bad(?:email|mailbox|address)|manuallydeactivated|^5\d/
const temporary = /soft|temporary|transient|delay|deferred|^4\d/
/** Longer than any row. A quote that is never closed does not take the rest of the file. */
const maxRowLength = 64 * 1024

/**
 * Reads a file row by row. In a CSV file whose first line names its columns, a row has one address, and its type says if
 * the bounce is permanent. In any other file each address of a line counts as a permanent bounce.
 */
export async function* readBounces(file: string): AsyncGenerator<BounceRow> {
  let columns: Columns | undefined
  let isFirst = true
  let row = ''
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (isFirst) {
      isFirst = false
      columns = readHeader(line.replace(/^\uFEFF/, ''))
      if (columns) continue
    }
    row = row === '' ? line : `${row}\n${line}`
    const fields = columns && fieldsOf(row, columns.separator)
    if (fields === 'quote is open' && row.length < maxRowLength) continue
    if (!columns || !fields || fields === 'quote is open')
      yield { identities: addressesIn(row), isPermanent: columns === undefined }
    else yield readRow(fields, columns)
    row = ''
  }
  if (row !== '') yield { identities: addressesIn(row), isPermanent: false }
}

/** Returns undefined if the line is not a header. */
function readHeader(line: string): Columns | undefined {
  const separator = [';', '\t'].find((candidate) => line.includes(candidate)) ?? ','
  const fields = fieldsOf(line, separator)
  if (fields === 'quote is open' || addressesIn(line).length > 0) return undefined
  const names = fields.map(lettersOf)
  const address = names.findIndex((name) => addressNames.test(name))
  if (address === -1) return undefined
  return { separator, address, types: names.flatMap((name, index) => (typeNames.test(name) ? [index] : [])) }
}

function readRow(fields: readonly string[], { address, types }: Columns): BounceRow {
  const kinds = types.map((index) => lettersOf(fields[index] ?? ''))
  return {
    identities: addressesIn(fields[address] ?? ''),
    isPermanent:
      types.length === 0 ||
      (kinds.some((kind) => permanent.test(kind)) && !kinds.some((kind) => temporary.test(kind))),
  }
}

/** A row may go on in the next line, within a quoted field. */
function fieldsOf(row: string, separator: string): string[] | 'quote is open' {
  try {
    const [fields = []] = parse(row, { delimiter: separator, relax_quotes: true, relax_column_count: true })
    return fields
  } catch (error) {
    if (error instanceof CsvError) return 'quote is open'
    throw error
  }
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;:"<>()]+/).flatMap((word) => parseEmailAddress(word)?.identity ?? [])
}

/** Makes one name of `Bounce Type`, `bounce_type` and `BounceType`. */
function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}
