import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { parseEmailAddress } from '#contract/email-address.ts'
import { lettersOf, separatorOf } from '../../subscribers/read-import.ts'
import type { Bounce } from './mark-bounced.ts'

/** One address of a file. */
interface ReadBounce extends Bounce {
  /** False: its row has a type, and it is neither permanent nor a complaint. */
  isPermanent: boolean
}

const addressNames =
  /^(?:bounced|final)?(?:e?mail(?:address)?|address|recipients?|to|rcpt(?:to)?)(?:e?mail|address)?$/
const typeNames =
  /^(?:bounce|event|suppression)?(?:type|class|classification|category|cat|status|event|severity|reason)$/
/** Amazon's list of suppressed addresses says BOUNCE or COMPLAINT. */
const permanent = /^bounce$|hard|permanent|invalid|bad(?:email|mailbox|address)|manuallydeactivated|^5\d/
const complaint = /complain|spam/
const temporary = /soft|temporary|transient|delay|deferred|^4\d/

/** Longer than any row. A quote that is never closed is found. */
const maxRowLength = 64 * 1024

/**
 * Reads a file. In a CSV file whose first line names its columns, a row has one address, and its type says if the bounce is
 * permanent. In any other file each address counts as a permanent bounce.
 */
export function readBounces(file: string): ReadBounce[] {
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n')
  // Excel writes the separator above the header.
  const first = lines.findIndex((line) => !/^\s*(?:sep=.)?\s*$/i.test(line))
  const header = lines[first] ?? ''
  const delimiter = separatorOf(header)
  const names = header.split(delimiter).map(lettersOf)
  if (!names.some((name) => addressNames.test(name)))
    return addressesIn(text).map((identity) => ({ identity, isPermanent: true, isComplaint: false }))
  const form = { relax_quotes: true, relax_column_count: true, max_record_size: maxRowLength }
  const rows = parse(text, { ...form, delimiter, from_line: first + 2 })
  return rows.flatMap((fields) => bouncesInRow(names, fields))
}

/** Other columns than the address's may hold the sender's. */
function bouncesInRow(names: readonly string[], fields: readonly string[]): ReadBounce[] {
  const types = fields.filter((_, index) => typeNames.test(names[index] ?? ''))
  const kinds = types.map((type) => type.toLowerCase().replaceAll(/[^a-z\d]/g, ''))
  const isComplaint = kinds.some((kind) => complaint.test(kind))
  const isPermanent =
    kinds.some((kind) => permanent.test(kind)) && !kinds.some((kind) => temporary.test(kind))
  return addressesIn(fields[names.findIndex((name) => addressNames.test(name))] ?? '').map((identity) => ({
    identity,
    isPermanent: kinds.length === 0 || isPermanent || isComplaint,
    isComplaint,
  }))
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;:"<>()]/).flatMap((word) => parseEmailAddress(word)?.identity ?? [])
}
