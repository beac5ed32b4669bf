import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Command } from 'commander'
import { stringify } from 'csv-stringify/sync'
import type { Connection } from '#server/database/database.ts'
import {
  countMatchingSubscribers,
  type ListedSubscriber,
  pagesOfSubscribers,
  type SubscriberFilter,
  type SubscriberState,
  subscriberStates,
} from '../subscribers/list-subscribers.ts'
import type { CommandContext } from './command-context.ts'
import { addExample, addJsonOption, addPeriodOptions, addStateOption, type PeriodOptions } from './options.ts'
import { configOf, withDatabase } from './owned-database.ts'
import { startProgress } from './progress-bar.ts'

interface ExportOptions extends PeriodOptions {
  state?: SubscriberState | 'all'
  json?: true
}

export function addExportCommand(subscribers: Command, context: CommandContext): void {
  const command = subscribers
    .command('export')
    .description(
      'Write the active subscribers as CSV that is safe to open in a spreadsheet, or as JSON lines',
    )
    .argument('[FILE]', 'A new file. Without it the result is printed')
  addStateOption(command, [...subscriberStates, 'all'], 'Those in this state, active by default')
  addJsonOption(addPeriodOptions(command))
  addExample(command, 'subscribers export data/subscribers.csv')
  command.action((file: string | undefined, options: ExportOptions) =>
    exportSubscribers(context, file, options),
  )
}

type Put = (text: string) => Promise<void>

async function exportSubscribers(context: CommandContext, file: string | undefined, options: ExportOptions) {
  const { state = 'active', since, until, json = false } = options
  const filter: SubscriberFilter = { state: state === 'all' ? undefined : state, since, until }
  await withDatabase(configOf(context), async ({ query }) => {
    if (file === undefined) return writeRows(query, filter, json, context.write)
    const count = await writeNewFile(file, async (put) => {
      // Counting takes time, so it is done only for the bar.
      const total = context.isTerminal ? await countMatchingSubscribers(query, filter) : 0
      const progress = startProgress(context, 'subscribers', total)
      let done = 0
      try {
        await writeRows(query, filter, json, put, (rows) => {
          done += rows
          progress.add(rows)
        })
      } finally {
        progress.end()
      }
      return done
    })
    context.writeError(`${count} subscribers written to ${file}\n`)
  })
}

async function writeRows(
  connection: Connection,
  filter: SubscriberFilter,
  json: boolean,
  put: Put,
  onPage: (rows: number) => void = () => {},
): Promise<void> {
  if (!json) await put(csv([columns]))
  for await (const page of pagesOfSubscribers(connection, filter)) {
    await put(json ? page.map((row) => `${JSON.stringify(row)}\n`).join('') : csv(page.map(fieldsOf)))
    onPage(page.length)
  }
}

/** A partial export is removed when `write` fails. */
async function writeNewFile<Result>(path: string, write: (put: Put) => Promise<Result>): Promise<Result> {
  const file = await open(path, 'wx', 0o600)
  try {
    const result = await write((text) => file.writeFile(text))
    await file.close()
    return result
  } catch (error) {
    await file.close().catch(() => {})
    rmSync(path)
    throw error
  }
}

const columns = [
  'email',
  'state',
  'signed_up_at',
  'last_mailed_at',
  'opened_at',
  'form',
  'campaign',
  'language',
  'wording',
]

function fieldsOf(row: ListedSubscriber): string[] {
  const signUp = [row.signed_up_at, row.last_mailed_at, row.opened_at].map(timeField)
  const page = [row.form, row.campaign, row.language, row.wording].map((text) => text ?? '')
  return [row.address, row.state, ...signUp, ...page]
}

function timeField(ms: number | null): string {
  return ms === null ? '' : new Date(ms).toISOString()
}

/** Spreadsheets run a field that begins with = + - @ as a formula, so it gets an apostrophe in front. */
function csv(rows: string[][]): string {
  return stringify(rows, { record_delimiter: 'windows', escape_formulas: true })
}
