import type { Command } from 'commander'
import { parkedUntil } from '#server/deliveries/lanes.ts'
import { deliveryStates, findDelivery, type ListedDelivery, newestDeliveries } from './list-deliveries.ts'
import { makeDueNow, retryFailed } from './retry-deliveries.ts'
import { type CommandContext, CommandError } from '../command-line/command-context.ts'
import { addListCommand } from '../command-line/list-command.ts'
import { addCommand, jsonOption, readIdOrFailed, readPositiveInteger } from '../command-line/options.ts'
import { counted, plainJson, textTable, timeText } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'

export function addDeliveryCommands(program: Command, context: CommandContext): void {
  const deliveries = program.command('deliveries').description('The mails sent and still to be sent')

  addListCommand(deliveries, context, {
    states: deliveryStates,
    example: '--state failed --limit 10',
    select: newestDeliveries,
    asRecord,
  })

  addCommand(deliveries, 'show', 'Show one delivery in full', '42')
    .argument('<ID>', 'The number of a delivery', readPositiveInteger)
    .addOption(jsonOption)
    .action((id: number, options: { json?: true }) => showDelivery(context, id, options))

  addCommand(deliveries, 'retry', 'Send a failed or waiting delivery now, or all failed ones', 'failed')
    .argument('<ID|failed>', 'The number of a delivery, or "failed"', readIdOrFailed)
    .action((which: number | 'failed') => retryDeliveries(context, which))
}

async function showDelivery(context: CommandContext, id: number, { json }: { json?: true }): Promise<void> {
  const found = await withDatabase(configOf(context), ({ query }) => findDelivery(query, id))
  if (!found) throw new CommandError(`There is no delivery ${id}.`)
  if (json) return context.write(plainJson(found))
  // Also a mail of an announcement that waits for its hour is not due yet.
  const isDue = (found.state === 'queued' || found.state === 'sending') && found.due_at < parkedUntil
  const record = {
    ...asRecord(found),
    due: timeText(isDue ? found.due_at : null),
    'Message-ID': found.message_id,
  }
  await context.write(textTable(Object.entries(record)))
}

async function retryDeliveries(context: CommandContext, which: number | 'failed'): Promise<void> {
  const { now, write } = context
  await withDatabase(configOf(context), async (database) => {
    const { length } = await retryFailed(database, now(), which === 'failed' ? undefined : which)
    if (which === 'failed')
      return write(`${counted(length, 'failed delivery is', 'failed deliveries are')} queued again.\n`)
    if (length === 0 && !(await makeDueNow(database.query, which, now())))
      throw new CommandError(whyNot(which, await findDelivery(database.query, which)))
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
