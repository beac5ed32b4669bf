import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { parseEmailAddress } from '#contract/email-address.ts'
import { lettersOf, separatorOf } from '../../subscribers/read-import.ts'
import type { Report } from './take-report.ts'

const addressNames =
  /^(?:bounced|final)?(?:e?mail(?:address)?|address|recipients?|to|rcpt(?:to)?)(?:e?mail|address)?$/
const typeNames =
  /^(?:bounce|event|suppression)?(?:type|class|classification|category|cat|status|event|severity|reason)$/
/** Amazon's list of suppressed addresses says BOUNCE or COMPLAINT. */
const permanent =
  /^bounce$|hard|permanent|invalid|bad(?:email|mailbox|address)|manuallydeactivated|^5\d/
const complaint = /complain|spam/
const temporary = /soft|temporary|transient|delay|deferred|^4\d/

/** Longer than any row. A quote that is never closed is found. */
const maxRowLength = 64 * 1024

/**
 * Reads a file. In a CSV file whose first line names its columns, a row has one address, and its
 * type says if the bounce is permanent, or a complaint. In any other file each address counts as a
 * permanent bounce.
 */
export function readBounces(file: string): Report[] {
  // Excel writes the separator above the header.
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF?(?:\s*\n)?(?:sep=.\s*\n)?/i, '')
  const [header = ''] = text.split('\n', 1)
  const delimiter = separatorOf(header)
  const names = header.split(delimiter).map(lettersOf)
  if (!names.some((name) => addressNames.test(name))) {
    return addressesIn(text).map((identity) => ({ identity, kind: 'returned' }))
  }
  const form = { relax_quotes: true, relax_column_count: true, max_record_size: maxRowLength }
  const rows = parse(text, { ...form, delimiter, from_line: 2 })
  return rows.flatMap((fields) => bouncesInRow(names, fields))
}

/** Other columns than the address's may hold the sender's. */
function bouncesInRow(names: readonly string[], fields: readonly string[]): Report[] {
  const types = fields.filter((_, index) => typeNames.test(names[index] ?? ''))
  const kind = kindOf(types.map((type) => type.toLowerCase().replaceAll(/[^a-z\d]/g, '')))
  const address = fields[names.findIndex((name) => addressNames.test(name))] ?? ''
  return addressesIn(address).map((identity) => ({ identity, kind }))
}

function kindOf(types: readonly string[]): Report['kind'] {
  if (types.some((type) => complaint.test(type))) return 'complaint'
  if (types.some((type) => temporary.test(type))) return 'temporary'
  return types.length === 0 || types.some((type) => permanent.test(type)) ? 'returned' : 'temporary'
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;:"<>()]/).flatMap((word) => parseEmailAddress(word)?.identity ?? [])
}
