import { parseEmailAddress } from '#contract/email-address.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { lettersOf, readCsv } from '#owner/acts/read-csv.ts'
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
/** Columns that say of which kind the bounce is. */
const typeColumn =
  /^(?:bounce|event|suppression)?(?:type|class|classification|category|cat|status|event|severity|reason)$/
const permanent =
  /^bounce$|hard|permanent|invalid|bad(?:email|mailbox|address)|manuallydeactivated|^5\d/
/** Only a category: servers also write about spam in the reason of a bounce. */
const complaint = /^(?:email)?(?:spam)?complain|^spam(?:report)?$|^abuse$/
const temporary = /soft|temporary|transient|delay|deferred|^4\d/

/**
 * Reads a CSV file whose first line names its columns. A row has one address, and its type says if
 * the bounce is permanent, or a complaint; without such a column each row is a permanent bounce.
 * Other columns may hold the sender's address, so a file without a known one is refused.
 */
export async function readBounces(file: Buffer): Promise<Report[]> {
  const records = readCsv(file)
  const first = await records.next()
  const header = first.done ? [] : first.value.fields
  const names = header.map(lettersOf)
  const addressAt = names.findIndex((name) => addressColumns.has(name))
  if (addressAt === -1) throw new CommandError(noAddresses(header))
  const reports: Report[] = []
  for await (const { fields } of records) {
    const types = fields.filter((_, index) => typeColumn.test(names[index] ?? ''))
    const kind = kindOf(types.map((type) => type.toLowerCase().replaceAll(/[^a-z\d]/g, '')))
    for (const identity of addressesIn(fields[addressAt] ?? '')) reports.push({ identity, kind })
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

function kindOf(types: readonly string[]): Report['kind'] {
  if (types.some((type) => complaint.test(type))) return 'complaint'
  if (types.some((type) => temporary.test(type))) return 'temporary'
  return types.length === 0 || types.some((type) => permanent.test(type)) ? 'returned' : 'temporary'
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;:"<>()]/).flatMap((word) => parseEmailAddress(word)?.identity ?? [])
}
