import { stringify } from 'csv-stringify/sync'
import type { Connection } from '#server/database/database.ts'
import { everyColumn, toolFormats, type ToolName } from './export-formats.ts'
import { pagesOfSubscribers, type SubscriberFilter } from './list-subscribers.ts'

/** Yields an export page by page. The first page of a CSV names its columns. */
export async function* exportSubscribers(
  connection: Connection,
  filter: SubscriberFilter,
  format: 'csv' | 'json' | ToolName,
): AsyncGenerator<{ text: string; rows: number }> {
  const isJson = format === 'json'
  const columns = Object.entries(isJson || format === 'csv' ? everyColumn : toolFormats[format].columns)
  if (!isJson) yield { text: csv([columns.map(([name]) => name)]), rows: 0 }
  for await (const page of pagesOfSubscribers(connection, filter)) {
    const text = isJson
      ? page.map((one) => `${JSON.stringify(one)}\n`).join('')
      : csv(page.map((one) => columns.map(([, fieldOf]) => fieldOf(one))))
    yield { text, rows: page.length }
  }
}

/** Spreadsheets run a field that begins with = + - @ as a formula, so it gets an apostrophe in front. */
function csv(rows: string[][]): string {
  return stringify(rows, { record_delimiter: 'windows', escape_formulas: true })
}
