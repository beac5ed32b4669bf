import { CommandError } from '#owner/acts/errors.ts'
import { lettersOf } from '#owner/people/table/read-csv.ts'
import { findAddressColumn } from '../table/address-column.ts'
import { listed, positionOf } from '../table/named-column.ts'
import type { ChosenColumn } from '../table/permission-columns.ts'

export type ImportField = 'email' | 'signedUpAt' | 'consentedAt'

/** The position of each field in a line, from 0. */
export interface ImportColumns extends Partial<Record<ImportField, number | undefined>> {
  /** Says who may be mailed. */
  status?: ChosenColumn
}

/** The fields that a column is found for by its name. The first name is that of our own export. */
const columnNames = {
  signedUpAt: [
    'signedupat',
    'signedup',
    'signupdate',
    'dateadded',
    'createdat',
    'subscribedat',
    'optintime',
    'subscribedon',
    'subscribedtime',
    'subscribeddate',
    'subscriptiondate',
    'creationdate',
    'datecreated',
  ],
  consentedAt: ['announcementsagreedat', 'consentedat'],
}

/** Finds columns by their names. */
export function findColumns(header: readonly string[]): ImportColumns {
  const names = header.map(lettersOf)
  const columns: ImportColumns = { email: findAddressColumn(header) }
  for (const [field, known] of Object.entries(columnNames)) {
    const index = names.findIndex((name) => known.includes(name))
    if (index !== -1) columns[field as keyof typeof columnNames] = index // they are its keys
  }
  return columns
}

/** The names that the owner gives on the command line. */
export interface NamedColumns {
  addressColumn?: string | undefined
  statusColumn?: string | undefined
}

/** Finds columns by the names of the owner, and the others by their own. */
export function nameColumns(
  header: readonly string[],
  { addressColumn, statusColumn }: NamedColumns,
): ImportColumns {
  const columns = findColumns(header)
  if (addressColumn !== undefined) columns.email = positionOf(addressColumn, header)
  if (statusColumn !== undefined) columns.status = positionOf(statusColumn, header)
  return columns
}

/** The positions of the columns that say who somebody is, and when they agreed. */
export function positionsOf(columns: ImportColumns): Set<number> {
  const { email, signedUpAt, consentedAt } = columns
  return new Set([email, signedUpAt, consentedAt].filter((index) => index !== undefined))
}

export function requireAddresses({ email }: ImportColumns, header: readonly string[]): void {
  if (email !== undefined) return
  throw new CommandError(
    `No column has the addresses. The columns are: ${listed(header)}. The first line must name ` +
      'the columns, one of them "email".',
  )
}
