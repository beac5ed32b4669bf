import {
  deliveryStates,
  findDelivery,
  type ListedDelivery,
  newestDeliveries,
} from '../deliveries/list-deliveries.ts'
import { makeDueNow, retryFailed } from '../deliveries/retry-deliveries.ts'
import { type Call, type Command, jsonOption, Refusal } from './command.ts'
import { filterOptions, pageOptions, readFilter, readPage } from './list-options.ts'
import { withDatabase } from './owned-database.ts'
import { wholeNumber } from './read-words.ts'
import { textTable, timeText } from './text-table.ts'

export const deliveryCommands: Command[] = [
  {
    name: 'deliveries list',
    takes: [],
    does: 'the newest deliveries, 50 unless told otherwise',
    options: { ...filterOptions, ...pageOptions, json: jsonOption },
    example: 'deliveries list --state failed --limit 10',
    run: list,
  },
  {
    name: 'deliveries show',
    takes: ['ID'],
    does: 'one delivery in full',
    options: { json: jsonOption },
    example: 'deliveries show 42',
    run: show,
  },
  {
    name: 'deliveries retry',
    takes: ['ID|failed'],
    does: 'sends a failed or waiting delivery now, or all failed ones',
    example: 'deliveries retry failed',
    run: retry,
  },
]

async function list({ config, options, write, writeAside }: Call): Promise<void> {
  const filter = readFilter(options, deliveryStates)
  const { rows, hint } = await withDatabase(config, ({ query }) =>
    readPage(options, (limit, below) => newestDeliveries(query, filter, limit, below)),
  )
  if (options['json']) await write(`${JSON.stringify(rows, undefined, 2)}\n`)
  else await write(rows.length > 0 ? textTable(rows.map(asRow)) : 'No deliveries.\n')
  writeAside(hint)
}

async function show({ config, words, options, write }: Call): Promise<void> {
  const id = wholeNumber(words[0]!, 'ID')
  const found = await withDatabase(config, ({ query }) => findDelivery(query, id))
  if (!found) throw new Refusal(`There is no delivery ${id}.`)
  if (options['json']) return write(`${JSON.stringify(found, undefined, 2)}\n`)
  const lines = {
    ...asRow(found),
    due: ['queued', 'sending'].includes(found.state) ? timeText(found.due_at) : '-',
    'Message-ID': found.message_id,
  }
  await write(
    Object.entries(lines)
      .map(([name, value]) => `${name.padEnd(10)}  ${value}\n`)
      .join(''),
  )
}

async function retry({ config, words: [which = ''], now, write }: Call): Promise<void> {
  await withDatabase(config, async (database) => {
    if (which === 'failed') {
      const queued = await retryFailed(database, now())
      return write(
        `${queued.length} failed ${queued.length === 1 ? 'delivery is' : 'deliveries are'} queued again.\n`,
      )
    }
    const id = wholeNumber(which, 'ID')
    const isQueued =
      (await retryFailed(database, now(), id)).length > 0 || (await makeDueNow(database.query, id, now()))
    if (!isQueued) throw new Refusal(whyNot(id, await findDelivery(database.query, id)))
    await write(`Delivery ${id} is due now; a running server sends it within seconds.\n`)
  })
}

function whyNot(id: number, delivery: ListedDelivery | undefined): string {
  switch (delivery?.state) {
    case undefined:
      return `There is no delivery ${id}.`
    case 'sent':
      return `Delivery ${id} was sent; signing up again sends the mail again.`
    case 'sending':
      return `Delivery ${id} is being sent.`
    case 'cancelled':
      return `Delivery ${id} was cancelled: its subscriber had left the list.`
    default:
      return `Delivery ${id} cannot be retried: its subscriber has left the list, or a newer delivery took its place.`
  }
}

function asRow({ id, address, state, queued_at, finished_at, failures, last_fault }: ListedDelivery) {
  return {
    id,
    address,
    state,
    queued: timeText(queued_at),
    ended: timeText(finished_at),
    failures,
    fault: last_fault ?? '',
  }
}
