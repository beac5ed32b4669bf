import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseEmailAddress } from '#contract/email-address.ts'

/** What one row of a file says. */
export interface BounceRow {
  identities: string[]
  /** False: it has a type, and that is not a permanent one. */
  isPermanent: boolean
}

interface Columns {
  separator: string
  /** Where the bounced address stands; other columns may hold the sender's. */
  address: number
  types: number[]
}

const addressNames =
  /^(?:bounced|final)?(?:e?mail(?:address)?|address|recipients?|to|rcpt(?:to)?)(?:e?mail|address)?$/
const typeNames = /^(?:bounce|event)?(?:type|class|classification|category|cat|status|event|severity)$/
const permanent = /hard|permanent|complain|invalid|bad(?:email|mailbox|address)|manuallydeactivated|^5\d/
const temporary = /soft|temporary|transient|delay|deferred|^4\d/
/** Longer than a row ever is: a quote that is never closed does not take the rest of the file. */
const maxRowLength = 64 * 1024

/**
 * Row by row: of a CSV file whose first line names its columns the address of each row, and whether its type is a
 * permanent one; of any other file every address in a line.
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
    if (columns && isQuoteOpen(row, columns.separator) && row.length < maxRowLength) continue
    yield columns ? readRow(row, columns) : { identities: addressesIn(row), isPermanent: true }
    row = ''
  }
  if (row !== '' && columns) yield readRow(row, columns)
}

/** Undefined: the line is no header. */
function readHeader(line: string): Columns | undefined {
  const separator = [';', '\t'].find((sign) => line.includes(sign)) ?? ','
  const names = fieldsOf(line, separator).map(lettersOf)
  const address = names.findIndex((name) => addressNames.test(name))
  if (address === -1 || addressesIn(line).length > 0) return undefined
  return { separator, address, types: names.flatMap((name, index) => (typeNames.test(name) ? [index] : [])) }
}

function readRow(row: string, { separator, address, types }: Columns): BounceRow {
  const fields = fieldsOf(row, separator)
  const kinds = types.map((index) => lettersOf(fields[index] ?? ''))
  return {
    identities: addressesIn(fields[address] ?? ''),
    isPermanent:
      types.length === 0 ||
      (kinds.some((kind) => permanent.test(kind)) && !kinds.some((kind) => temporary.test(kind))),
  }
}

/** By RFC 4180, the quotes taken off. */
function fieldsOf(row: string, separator: string): string[] {
  const field = new RegExp(`(?<=^|${separator})("(?:[^"]|"")*"|[^${separator}]*)`, 'g')
  return Array.from(row.matchAll(field), ([, text = '']) =>
    text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text,
  )
}

/** Only at the start of a field does a quote open one: inside, as in what a server said, it is a sign like any other. */
function isQuoteOpen(row: string, separator: string): boolean {
  const closed = new RegExp(`(^|${separator})"(?:[^"]|"")*"(?!")`, 'g')
  return new RegExp(`(?:^|${separator})"`).test(row.replaceAll(closed, '$1'))
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;:"<>()]+/).flatMap((word) => parseEmailAddress(word)?.identity ?? [])
}

/** `Bounce Type`, `bounce_type` and `BounceType` are one name. */
function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}
