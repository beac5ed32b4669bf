import { stringify } from 'csv-stringify/sync'
import { brand } from '#content/brand.ts'
import type { Database, Reader } from '#server/database/database.ts'
import type { SubscriberState } from '#server/subscribers/subscribers.ts'
import { recordAction } from '#owner/acts/audit.ts'
import {
  countSubscribers,
  type ListedSubscriber,
  pagesOfSubscribers,
  subscriberColumns,
  type SubscriberFilter,
} from '../list-subscribers.ts'
import type { Tool } from './tool-names.ts'

type Field = (subscriber: ListedSubscriber) => string | number | null

const email: Field = ({ address }) => address
const campaign = (one: ListedSubscriber) => (one.campaign === 'none' ? '' : (one.campaign ?? ''))
const tags: Field = (one) => [brand.name, campaign(one)].filter((tag) => tag !== '').join(', ')
const signedUp: Field = ({ signed_up_at }) => signed_up_at
const attributes: Field = (one) =>
  JSON.stringify({
    signed_up_at: isoTime(one.signed_up_at),
    form: one.form,
    campaign: campaign(one),
    language: one.language,
  })
const empty: Field = () => ''

/**
 * The columns that each tool documents for its import, with the page that says so, read on
 * 2026-11-22.
 */
const toolColumns = {
  // help.kit.com/en/articles/2502555-how-to-import-a-subscriber-list
  kit: { email, tags },
  // mailchimp.com/help/format-guidelines-for-your-import-file
  mailchimp: { 'Email Address': email, Tags: tags },
  // mailerlite.com/help/how-to-import-subscribers
  mailerlite: { Email: email },
  // docs.buttondown.com/api-imports-introduction
  buttondown: { email, tags },
  // listmonk.app/docs/apis/import. Without a name it takes the part before the @.
  listmonk: { email, name: empty, attributes },
  // ghost.org/help/import-members
  ghost: {
    email,
    name: empty,
    note: empty,
    subscribed_to_emails: (one) =>
      String(one.state === 'active' && one.announcements_agreed_at !== null),
    stripe_customer_id: empty,
    complimentary_plan: () => 'false',
    labels: tags,
    created_at: signedUp,
  },
  // beehiiv.com/support/article/4412705350679
  beehiiv: { email, signed_up_at: signedUp, campaign },
} satisfies Record<Tool, Record<string, Field>>

const everyColumn: Record<string, Field> = Object.fromEntries(
  subscriberColumns
    .filter((column) => column !== 'id')
    .map((column) => [column === 'address' ? 'email' : column, (one) => one[column]]),
)

export type ExportFormat = 'csv' | 'json' | Tool

/** Whom an export holds, and how it is written. */
export interface ExportOrder extends Omit<SubscriberFilter, 'state'> {
  /**
   * Undefined: the active ones. Others go into the file only if their state is named, and a column
   * says it: another tool would mail them.
   */
  state?: SubscriberState | 'all' | undefined
  format: ExportFormat
}

interface ExportedPage {
  text: string
  /** People. */
  rows: number
}

/** Exports people, which is in the audit. */
export async function startExport(
  database: Database,
  order: ExportOrder,
  now: number,
): Promise<AsyncGenerator<ExportedPage>> {
  await recordAction(database, { at: now, action: 'Exported people', about: '' })
  return exportSubscribers(database.ownerReads, order)
}

/** Yields an export page by page. The first page of a CSV names its columns. */
export async function* exportSubscribers(
  reader: Reader,
  order: ExportOrder,
): AsyncGenerator<ExportedPage> {
  const { format } = order
  const isJson = format === 'json'
  const columns = Object.entries(columnsOf(order))
  if (!isJson) yield { text: csv([columns.map(([name]) => name)]), rows: 0 }
  for await (const page of pagesOfSubscribers(reader, filterOf(order))) {
    const text = isJson
      ? page.map((one) => `${JSON.stringify(one)}\n`).join('')
      : csv(page.map((one) => columns.map(([, fieldOf]) => fieldOf(one))))
    yield { text, rows: page.length }
  }
}

/** Counts the people in the export. */
export function countExported(reader: Reader, order: ExportOrder): Promise<number> {
  return countSubscribers(reader, filterOf(order))
}

function filterOf({ state = 'active', ...rest }: ExportOrder): SubscriberFilter {
  return state === 'all' ? rest : { ...rest, state }
}

function columnsOf({ state = 'active', format }: ExportOrder): Record<string, Field> {
  if (format === 'csv' || format === 'json') return everyColumn
  return state === 'active'
    ? toolColumns[format]
    : { ...toolColumns[format], state: (one) => one.state }
}

const isoTime = (ms: number) => new Date(ms).toISOString()

/**
 * Numbers are times. Spreadsheets run a field that begins with = + - @ as a formula, so it gets an
 * apostrophe in front.
 */
function csv(rows: (string | number | null)[][]): string {
  return stringify(rows, {
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { number: isoTime },
  })
}
