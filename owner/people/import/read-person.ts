import { type EmailAddress, parseEmailAddress } from '#contract/email-address.ts'
import { momentForm, parseMoment } from '#owner/acts/terminal/parse-moment.ts'
import type { ImportColumns, ImportField } from './import-columns.ts'

/** Somebody to be put on the list. Times are ms since 1970. */
export interface NewPerson extends EmailAddress {
  signedUpAt: number
  consentedAt: number | null
}

/** Why a line is not imported. */
export interface Problem {
  /** The fault of the line, with its words. */
  why: string
  /** The same without its words: lines with the same reason are counted together. */
  reason: string
}

/**
 * Reads somebody from a line. Undefined: it has no address. A date that is not one counts as none.
 */
export function readPerson(
  fields: readonly string[],
  columns: ImportColumns,
  { consentedAt, now }: { consentedAt?: number | undefined; now: number },
): NewPerson | undefined {
  const address = readAddress(fields, columns)
  if (!address) return undefined
  const agreedAt = parseMoment(valueOf(fields, columns, 'consentedAt'))?.ms ?? consentedAt
  return {
    ...address,
    signedUpAt: parseMoment(valueOf(fields, columns, 'signedUpAt'))?.ms ?? agreedAt ?? now,
    consentedAt: agreedAt ?? null,
  }
}

export function problemOfAddress(fields: readonly string[], columns: ImportColumns): Problem {
  const reason = 'not an email address'
  return { why: `"${valueOf(fields, columns, 'email')}" is ${reason}`, reason }
}

interface DateContext {
  header: readonly string[]
  columns: ImportColumns
  now: number
}

export function problemOfDates(
  fields: readonly string[],
  context: DateContext,
): Problem | undefined {
  return (
    problemOfDate('signedUpAt', fields, context) ?? problemOfDate('consentedAt', fields, context)
  )
}

function problemOfDate(
  field: 'signedUpAt' | 'consentedAt',
  fields: readonly string[],
  { header, columns, now }: DateContext,
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

/** The export puts an apostrophe before what a spreadsheet would run as a formula. */
function readAddress(fields: readonly string[], columns: ImportColumns): EmailAddress | undefined {
  return parseEmailAddress(valueOf(fields, columns, 'email').replace(/^'(?=[=+\-@])/, ''))
}

function valueOf(fields: readonly string[], columns: ImportColumns, field: ImportField): string {
  const index = columns[field]
  return index === undefined ? '' : (fields[index] ?? '')
}
