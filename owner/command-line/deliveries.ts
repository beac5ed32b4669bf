import type { Command } from 'commander'
import {
  type DeliveryState,
  deliveryStates,
  findDelivery,
  type ListedDelivery,
  newestDeliveries,
} from '../deliveries/list-deliveries.ts'
import { makeDueNow, retryFailed } from '../deliveries/retry-deliveries.ts'
import { type CommandContext, CommandError } from './command-context.ts'
import {
  addExample,
  addJsonOption,
  addPageOptions,
  addPeriodOptions,
  addStateOption,
  type PageOptions,
  type PeriodOptions,
  readPage,
  readPositiveInteger,
} from './options.ts'
import { recordTable, textTable, timeText } from './output.ts'
import { configOf, withDatabase } from './owned-database.ts'

interface ListOptions extends PageOptions, PeriodOptions {
  state?: DeliveryState
  json?: true
}

export function addDeliveryCommands(program: Command, context: CommandContext): void {
  const deliveries = program.command('deliveries').description('The mails sent and still to be sent')

  const list = deliveries.command('list').description('Show the newest deliveries')
  addStateOption(list, deliveryStates, 'Only those in this state')
  addJsonOption(addPageOptions(addPeriodOptions(list)))
  addExample(list, 'deliveries list --state failed --limit 10')
  list.action((options: ListOptions) => listDeliveries(context, options))

  const show = deliveries.command('show').description('Show one delivery in full')
  show.argument('<ID>', 'The number of a delivery', (text: string) => readPositiveInteger(text, 'ID'))
  addExample(addJsonOption(show), 'deliveries show 42')
  show.action((id: number, options: { json?: true }) => showDelivery(context, id, options))

  const retry = deliveries
    .command('retry')
    .description('Send a failed or waiting delivery now, or all failed ones')
  retry.argument('<ID|failed>', 'The number of a delivery, or "failed"', (text: string) =>
    text === 'failed' ? text : readPositiveInteger(text, 'ID'),
  )
  addExample(retry, 'deliveries retry failed')
  retry.action((which: number | 'failed') => retryDeliveries(context, which))
}

async function listDeliveries(context: CommandContext, options: ListOptions): Promise<void> {
  const { rows, hint } = await withDatabase(configOf(context), ({ query }) =>
    readPage(options, (limit, below) => newestDeliveries(query, options, limit, below)),
  )
  if (options.json) await context.write(`${JSON.stringify(rows, undefined, 2)}\n`)
  else await context.write(rows.length > 0 ? recordTable(rows.map(asRecord)) : 'No deliveries.\n')
  context.writeError(hint)
}

async function showDelivery(context: CommandContext, id: number, { json }: { json?: true }): Promise<void> {
  const found = await withDatabase(configOf(context), ({ query }) => findDelivery(query, id))
  if (!found) throw new CommandError(`There is no delivery ${id}.`)
  if (json) return context.write(`${JSON.stringify(found, undefined, 2)}\n`)
  const record = {
    ...asRecord(found),
    due: ['queued', 'sending'].includes(found.state) ? timeText(found.due_at) : '-',
    'Message-ID': found.message_id,
  }
  await context.write(textTable(Object.entries(record)))
}

async function retryDeliveries(context: CommandContext, which: number | 'failed'): Promise<void> {
  const { now, write } = context
  await withDatabase(configOf(context), async (database) => {
    if (which === 'failed') {
      const { length } = await retryFailed(database, now())
      return write(`${length} failed ${length === 1 ? 'delivery is' : 'deliveries are'} queued again.\n`)
    }
    const isQueued =
      (await retryFailed(database, now(), which)).length > 0 ||
      (await makeDueNow(database.query, which, now()))
    if (!isQueued) throw new CommandError(whyNot(which, await findDelivery(database.query, which)))
    await write(`Delivery ${which} is due now; a running server sends it within seconds.\n`)
  })
}

function whyNot(id: number, delivery: ListedDelivery | undefined): string {
  switch (delivery?.state) {
    case undefined:
      return `There is no delivery ${id}.`
    case 'sent':
      return `Delivery ${id} was sent; a new sign-up sends the mail again.`
    case 'sending':
      return `Delivery ${id} is being sent.`
    case 'cancelled':
      return `Delivery ${id} was cancelled: its subscriber had left the list.`
    default:
      return `Delivery ${id} cannot be retried: its subscriber has left the list, or a newer delivery replaced it.`
  }
}

function asRecord({ id, address, state, queued_at, finished_at, failures, last_fault }: ListedDelivery) {
  return {
    id,
    address,
    state,
    queued: timeText(queued_at),
    finished: timeText(finished_at),
    failures,
    error: last_fault ?? '',
  }
}
