import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, type Info, parse } from 'csv-parse'
import { parseEmailAddress } from '#contract/email-address.ts'
import { CommandError } from '#owner/acts/errors.ts'

export interface CsvRecord {
  /** On which it ends, from 1. */
  line: number
  fields: string[]
}

const options = {
  bom: true,
  info: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  trim: true,
  max_record_size: 64 * 1024, // a quote that is never closed does not take the whole file
} as const
/** In bytes. Some hundred lines: a millisecond or two. */
const pieceLength = 4 * 1024

/** The comma first: it separates if nothing else tells. Many countries write a semicolon. */
const delimiters = [',', ';', '\t']
const sampledLines = 20

/** Excel writes the separator above the header. */
const separatorLine = /^\uFEFF?\s*sep=(.)\s*\n/i

/**
 * Yields the records of a CSV file in UTF-8, the names of its columns first. Other work of the
 * server goes on in between. Throws a CommandError, with a sentence for the owner, if the file is
 * not CSV.
 */
export async function* readCsv(file: Buffer): AsyncGenerator<CsvRecord, void> {
  const beginning = file.toString('utf8', 0, options.max_record_size)
  const above = separatorLine.exec(beginning)
  const from_line = above === null ? 1 : above[0].split('\n').length
  const delimiter = above?.[1] ?? delimiterOf(beginning)
  const parser = Readable.from(piecesOf(file)).pipe(parse({ ...options, delimiter, from_line }))
  try {
    // The option `info` adds the position to each record.
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: Info
    }>) {
      yield { line: info.lines, fields: record }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CommandError(`The file cannot be read: ${error.message}. Nothing was changed.`)
  }
}

/** The names of a file's columns. */
export async function readHeader(file: Buffer): Promise<string[]> {
  for await (const { fields } of readCsv(file)) return fields
  return []
}

/** Makes one name of `Bounce Type`, `bounce_type` and `BounceType`. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/**
 * Tables of people are read: the right separator is the one that leaves addresses alone in fields.
 */
function delimiterOf(beginning: string): string {
  const unquoted = beginning.replaceAll(/"(?:[^"]|"")*"/g, (quoted) =>
    quoted.replaceAll(/[",;\t\r\n]/g, ''),
  )
  const lines = unquoted.split(/\r?\n|\r/, sampledLines)
  const scored = delimiters.map((delimiter) => {
    const isPerson = (line: string) =>
      line.split(delimiter).some((field) => parseEmailAddress(field))
    return {
      delimiter,
      people: lines.filter(isPerson).length,
      columns: lines[0]!.split(delimiter).length,
    }
  })
  scored.sort((a, b) => b.people - a.people || b.columns - a.columns)
  return scored[0]!.delimiter
}

async function* piecesOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < file.length; start += pieceLength) {
    yield file.subarray(start, start + pieceLength)
    await nextTurn()
  }
}
