import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Connection } from '#server/database/database.ts'
import {
  countMatchingSubscribers,
  type ListedSubscriber,
  pagesOfSubscribers,
  type SubscriberFilter,
  subscriberStates,
} from '#server/subscribers/list-subscribers.ts'
import { type Call, type Command, jsonOption } from './command.ts'
import { csvLine } from './csv.ts'
import { filterOptions, readFilter } from './list-options.ts'
import { withDatabase } from './owned-database.ts'
import { startProgress } from './progress-bar.ts'

export const exportSubscribers: Command = {
  name: 'subscribers export',
  takes: ['[FILE]'],
  does: 'the active subscribers as CSV that a spreadsheet opens safely, or JSON lines, into a new FILE or printed',
  options: {
    ...filterOptions,
    state: {
      value: 'STATE',
      does: `another state (${subscriberStates.join(', ')}), or "all"; active by default`,
    },
    json: jsonOption,
  },
  example: 'subscribers export data/subscribers.csv',
  run: exportAll,
}

type Put = (text: string) => Promise<void>

async function exportAll(call: Call): Promise<void> {
  const { state = 'active', ...period } = readFilter(call.options, [...subscriberStates, 'all'])
  const filter: SubscriberFilter = { ...period, state: state === 'all' ? undefined : state }
  const [file] = call.words
  await withDatabase(call.config, async ({ query }) => {
    if (file === undefined) return writeRows(query, filter, call, call.write)
    const count = await intoNewFile(file, async (put) => {
      // Counted for the bar; where there is none nobody waits for it.
      const all = call.isTerminal ? await countMatchingSubscribers(query, filter) : 0
      const progress = startProgress(call, 'subscribers', all)
      let done = 0
      try {
        await writeRows(query, filter, call, put, (rows) => {
          done += rows
          progress.add(rows)
        })
      } finally {
        progress.end()
      }
      return done
    })
    call.writeAside(`${count} subscribers written to ${file}\n`)
  })
}

async function writeRows(
  connection: Connection,
  filter: SubscriberFilter,
  { options }: Call,
  put: Put,
  wrote: (rows: number) => void = () => {},
): Promise<void> {
  const asLine = options['json'] ? asJson : asCsv
  if (!options['json']) await put(csvLine(['email', 'state', 'signed_up_at', 'last_mailed_at', 'opened_at']))
  for await (const page of pagesOfSubscribers(connection, filter)) {
    await put(page.map(asLine).join(''))
    wrote(page.length)
  }
}

/** Half an export is none: it is taken away when `write` fails. */
async function intoNewFile<Result>(path: string, write: (put: Put) => Promise<Result>): Promise<Result> {
  const file = await open(path, 'wx', 0o600)
  try {
    const result = await write((text) => file.writeFile(text))
    await file.close()
    return result
  } catch (fault) {
    await file.close().catch(() => {})
    rmSync(path)
    throw fault
  }
}

function asJson(subscriber: ListedSubscriber): string {
  return `${JSON.stringify(subscriber)}\n`
}

function asCsv({ address, state, signed_up_at, last_mailed_at, opened_at }: ListedSubscriber): string {
  const times = [signed_up_at, last_mailed_at, opened_at]
  return csvLine([address, state, ...times.map((ms) => (ms === null ? '' : new Date(ms).toISOString()))])
}
