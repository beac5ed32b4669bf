import type { Command } from 'commander'
import { type CommandContext, CommandError } from '../command-line/command-context.ts'
import {
  addCommand,
  addListCommand,
  jsonOption,
  idOr,
  readPositiveInteger,
} from '../command-line/options.ts'
import { counted, plainJson, recordLines } from '../command-line/output.ts'
import { withDatabase } from '../command-line/owned-database.ts'
import {
  type DeliveryState,
  deliveryStates,
  findDelivery,
  newestDeliveries,
} from './list-deliveries.ts'
import { retry } from './retry-deliveries.ts'

export function addDeliveryCommands(program: Command, context: CommandContext): void {
  const deliveries = program
    .command('deliveries')
    .description('The mails sent and still to be sent')

  addListCommand(deliveries, context, {
    states: deliveryStates,
    example: '--state failed --limit 10',
    select: newestDeliveries,
    columns: ['id', 'address', 'state', 'queued_at', 'finished_at', 'failures', 'last_fault'],
  })

  addCommand(deliveries, 'show', 'Show one delivery in full', '42')
    .argument('<ID>', 'The number of a delivery', readPositiveInteger)
    .addOption(jsonOption)
    .action(async (id: number, { json }: { json?: true }) => {
      const found = await withDatabase(context, ({ database }) => findDelivery(database, id))
      if (!found) throw new CommandError(`There is no delivery ${id}.`)
      await context.write(json ? plainJson(found) : recordLines(found))
    })

  const retrying = 'Send a delivery now, or all failed ones, or those a restore holds'
  addCommand(deliveries, 'retry', retrying, 'failed')
    .argument(
      '<ID|failed|held>',
      'The number of a delivery, "failed" or "held"',
      idOr('failed', 'held'),
    )
    .action((which: number | 'failed' | 'held') =>
      withDatabase(context, async (deps) => {
        const { length } = await retry(deps, typeof which === 'number' ? [which] : which)
        if (typeof which === 'string') {
          return context.write(
            `${counted(length, `${which} delivery is`, `${which} deliveries are`)} queued again.\n`,
          )
        }
        const delivery = await findDelivery(deps.database, which)
        if (!delivery) throw new CommandError(`There is no delivery ${which}.`)
        if (length === 0) throw new CommandError(`Delivery ${which} ${whyNot[delivery.state]}.`)
        if (delivery.state === 'held') return context.write(`Delivery ${which} ${whyNot.held}.\n`)
        await context.write(
          `Delivery ${which} is due now; a running server sends it within seconds.\n`,
        )
      }),
    )
}

const whyNot: Partial<Record<DeliveryState, string>> = {
  sent: 'was sent; a new sign-up sends the mail again',
  sending: 'is being sent',
  held: 'is held: its announcement is paused',
  cancelled: 'was cancelled: its subscriber had left the list, or its announcement was cancelled',
  failed: 'cannot be retried: its subscriber has left the list, or a newer delivery replaced it',
}
