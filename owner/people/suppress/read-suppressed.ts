import { parseEmailAddress } from '#contract/email-address.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { lettersOf, readCsv } from '#owner/people/table/read-csv.ts'
import { kindOfReturn, type ReturnKind, saysTemporary } from '#owner/mail/bounces/returned-mail.ts'
import type { Report } from '#owner/mail/bounces/take-report.ts'
import { findAddressColumn } from '../table/address-column.ts'
import { listed, positionOf } from '../table/named-column.ts'
import type { LeftReason } from '../table/mail-permission.ts'
import {
  findPermissionColumns,
  readValue,
  type SaidValue,
  settleColumns,
} from '../table/permission-columns.ts'

/** Why people are taken off the list. */
export type SuppressReason = Exclude<ReturnKind, 'nothing'>

export interface SuppressOptions {
  /** The name of the column of addresses. Undefined: it is found by its name. */
  addressColumn?: string | undefined
  /** Of all of them, whatever the table says. Undefined: as it says. */
  reason?: SuppressReason | undefined
}

/** Columns that name the kind of the bounce. */
const about = '(?:hard|soft)?bounce|event|suppression|unsub[a-z]*|block[a-z]*|blacklist[a-z]*'
const kinds = 'type|class|classification|category|cat|status|event|severity|reason|source'
const typeColumn = new RegExp(`^(?:email)?(?:${about})?(?:${kinds})$`)
/** Columns with codes and words of the recipient's server; those above may have them, too. */
const saidColumn = /code|error|diagnos|response|detail|description|message|^dsn/
const longestType = 40
/** A list of addresses alone is one of returned mail if it names them so. */
const returnedColumn = /bounced|recipient|rcpt/

/**
 * Reads a CSV file of people to take off the list, whose first line names its columns. What a line
 * says of mail that came back, or of who may be mailed, decides if its person comes off, and why.
 */
export async function readSuppressed(
  file: Buffer,
  { addressColumn, reason }: SuppressOptions,
): Promise<Report[]> {
  const records = readCsv(file)
  const first = await records.next()
  const header = first.done ? [] : first.value.fields
  const names = header.map(lettersOf)
  const addressAt =
    addressColumn === undefined ? findAddressColumn(header) : positionOf(addressColumn, header)
  if (addressAt === undefined) throw new CommandError(noAddresses(header))
  const typeNames = new Map(
    [...names.entries()].filter(([at, name]) => at !== addressAt && typeColumn.test(name)),
  )
  const isAboutReturn = names.map(
    (name, at) => at !== addressAt && (typeNames.has(at) || saidColumn.test(name)),
  )
  const candidates = findPermissionColumns(header, new Set([addressAt]), undefined)

  const lines: ReadLine[] = []
  for await (const { fields } of records) {
    const told = fields.filter((_, index) => isAboutReturn[index])
    const types = fields.filter((text, index) => isType(text, typeNames.get(index)))
    const said = candidates.map((column) => readValue(column, fields[column.index] ?? '', []))
    const people = addressesIn(fields[addressAt] ?? '')
    lines.push(...people.map((identity) => ({ identity, types, told, said })))
  }

  const used = settleColumns(candidates)
  const isListOnly = used.length === 0 && !isAboutReturn.includes(true)
  const plainKind = returnedColumn.test(names[addressAt]!) ? 'returned' : 'unsubscribed'
  const kindOf = (line: ReadLine): ReturnKind => {
    if (reason !== undefined) return reason
    if (isListOnly) return plainKind
    return kindOfLine({ ...line, said: line.said.filter(({ column }) => used.includes(column)) })
  }
  return lines.map((line) => ({ identity: line.identity, kind: kindOf(line) }))
}

/** "Spam" as the reason of a bounce is a filter's verdict on us, and no complaint. */
function isType(text: string, column: string | undefined): boolean {
  if (column === undefined || text.length > longestType || /\d/.test(text)) return false
  return !(column.includes('bounce') && /^\s*(?:spam|junk|abuse)\s*$/i.test(text))
}

interface ReadLine {
  identity: string
  types: string[]
  /** What the columns about returned mail say. */
  told: string[]
  said: SaidValue[]
}

/** Mail that came back is judged by the rule for our own relay, whatever the tool calls it. */
function kindOfLine({ identity, types, told, said }: ReadLine): ReturnKind {
  const kind = kindOfReturn({ types, said: told.join('; '), recipient: identity })
  if (kind !== 'nothing' || saysTemporary(types)) return kind
  const reasons = said.flatMap(({ value: { permission } }) =>
    permission.kind === 'left' ? [permission.reason] : [],
  )
  const isExplained = told.some((text) => text !== '')
  return (
    reasons.map((reason) => kindFor(reason, isExplained)).find((one) => one !== 'nothing') ?? kind
  )
}

/** `isExplained`: the mailbox was asked about already, and is not gone. */
function kindFor(reason: LeftReason, isExplained: boolean): ReturnKind {
  switch (reason) {
    case 'unsubscribed':
      return 'unsubscribed'
    case 'complaint':
      return 'complaint'
    case 'hard-bounce':
      return isExplained ? 'nothing' : 'returned'
    case 'soft-bounce':
    case 'not-confirmed':
      return 'nothing'
    default:
      return reason satisfies never
  }
}

function noAddresses(header: readonly string[]): string {
  return (
    `No column has the addresses. The columns are: ${listed(header)}. ` +
    'The first line must name the columns, one of them "email". Nobody was taken off the list.'
  )
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;:"<>()]/).flatMap((word) => parseEmailAddress(word)?.identity ?? [])
}
