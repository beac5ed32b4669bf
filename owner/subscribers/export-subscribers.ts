import { stringify } from 'csv-stringify/sync'
import type { Connection } from '#server/database/database.ts'
import {
  type ListedSubscriber,
  pagesOfSubscribers,
  subscriberColumns,
  type SubscriberFilter,
} from './list-subscribers.ts'

/** A CSV column's name, and its field for a subscriber. */
type Columns = Record<string, (subscriber: ListedSubscriber) => string>

const everyColumn: Columns = Object.fromEntries(
  subscriberColumns
    .filter((column) => column !== 'id')
    .map((column) => [column === 'address' ? 'email' : column, (one) => textOf(column, one[column])]),
)

/** Yields an export page by page. The first page of a CSV names its columns. */
export async function* exportSubscribers(
  connection: Connection,
  filter: SubscriberFilter,
  format: 'csv' | 'json',
): AsyncGenerator<{ text: string; rows: number }> {
  const columns = Object.entries(everyColumn)
  if (format === 'csv') yield { text: csv([columns.map(([name]) => name)]), rows: 0 }
  for await (const page of pagesOfSubscribers(connection, filter)) {
    const text =
      format === 'json'
        ? page.map((one) => `${JSON.stringify(one)}\n`).join('')
        : csv(page.map((one) => columns.map(([, fieldOf]) => fieldOf(one))))
    yield { text, rows: page.length }
  }
}

function textOf(column: string, value: string | number | null): string {
  if (value === null) return ''
  return column.endsWith('_at') ? new Date(value).toISOString() : String(value)
}

/** Spreadsheets run a field that begins with = + - @ as a formula, so it gets an apostrophe in front. */
function csv(rows: string[][]): string {
  return stringify(rows, { record_delimiter: 'windows', escape_formulas: true })
}
