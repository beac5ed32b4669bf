import { parseEmailAddress } from '#contract/email-address.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { lettersOf, readCsv } from '#owner/acts/read-csv.ts'
import { kindOfReturn } from './returned-mail.ts'
import type { Report } from './take-report.ts'

/** Columns that hold the address that came back, by their letters in lower case. */
const addressColumns = new Set([
  'email',
  'emailaddress',
  'recipient',
  'recipients',
  'recipientemail',
  'finalrecipient',
  'bouncedemail',
  'bouncedaddress',
  'address',
  'rcptto',
  'to',
])
/** Columns that name the kind of the bounce. */
const typeColumn =
  /^(?:bounce|event|suppression)?(?:type|class|classification|category|cat|status|event|severity|reason)$/
/** Columns with codes and words of the recipient's server; those above may have them, too. */
const saidColumn = /code|error|diagnos|response|detail|description|message|^dsn/
const longestType = 40

/**
 * Reads a CSV file whose first line names its columns. A row has one address. What its other columns
 * say of the bounce decides if that person comes off the list, and why; without such a column each
 * row is a permanent bounce. Other columns may hold the sender's address, so a file without a known
 * one is refused.
 */
export async function readBounces(file: Buffer): Promise<Report[]> {
  const records = readCsv(file)
  const first = await records.next()
  const header = first.done ? [] : first.value.fields
  const names = header.map(lettersOf)
  const addressAt = names.findIndex((name) => addressColumns.has(name))
  if (addressAt === -1) throw new CommandError(noAddresses(header))
  const isAbout = names.map((name) => typeColumn.test(name) || saidColumn.test(name))
  const isListOnly = !isAbout.includes(true)
  const reports: Report[] = []
  for await (const { fields } of records) {
    const told = fields.filter((_, index) => isAbout[index])
    const types = told.filter((text) => text.length <= longestType && !/\d/.test(text))
    for (const identity of addressesIn(fields[addressAt] ?? '')) {
      const mail = { types, said: told.join('; '), recipient: identity }
      reports.push({ identity, kind: isListOnly ? 'returned' : kindOfReturn(mail) })
    }
  }
  return reports
}

function noAddresses(header: readonly string[]): string {
  const columns = header.length === 0 ? 'none' : header.map((name) => `"${name}"`).join(', ')
  return (
    `No column has the addresses that came back. The columns are: ${columns}. ` +
    'The first line must name the columns, one of them "email". Nothing was imported.'
  )
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;:"<>()]/).flatMap((word) => parseEmailAddress(word)?.identity ?? [])
}
