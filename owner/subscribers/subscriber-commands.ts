import type { Command } from 'commander'
import type { EmailAddress } from '#contract/email-address.ts'
import type { CommandContext } from '../command-line/command-context.ts'
import { addCommand, addListCommand, jsonOption, readAddress } from '../command-line/options.ts'
import { plainJson, recordLines, recordTable } from '../command-line/output.ts'
import { withDatabase } from '../command-line/owned-database.ts'
import { deliveriesOf } from '../deliveries/list-deliveries.ts'
import { erasePerson } from './change-subscriber.ts'
import { addExportCommand } from './export-command.ts'
import { addImportCommand } from './import-command.ts'
import { findByAddress, newestSubscribers, subscriberStates } from './list-subscribers.ts'

const ofDelivery = ['id', 'state', 'queued_at', 'finished_at', 'last_fault'] as const

export function addSubscriberCommands(program: Command, context: CommandContext): void {
  const subscribers = program.command('subscribers').description('The people on the list')

  addListCommand(subscribers, context, {
    states: subscriberStates,
    example: '--state active --since 2026-11-01',
    select: newestSubscribers,
    columns: ['address', 'state', 'signed_up_at', 'last_mailed_at'],
  })

  addCommand(
    subscribers,
    'find',
    'Show one subscriber and every delivery to them',
    'ada@example.com',
  )
    .argument('<ADDRESS>', '', readAddress)
    .addOption(jsonOption)
    .action((address: EmailAddress, { json }: { json?: true }) =>
      withDatabase(context, async ({ database }) => {
        const subscriber = await findByAddress(database, address)
        const deliveries = await deliveriesOf(database, subscriber.id)
        if (json) return context.write(plainJson({ subscriber, deliveries }))
        const table =
          deliveries.length > 0 ? recordTable(deliveries, ofDelivery) : 'No deliveries.\n'
        await context.write(`${recordLines(subscriber)}\n${table}`)
      }),
    )

  addExportCommand(subscribers, context)
  addImportCommand(subscribers, context)

  const erasing = 'Remove every trace of an address from the database and the local inbox'
  addCommand(subscribers, 'erase', erasing, 'ada@example.com')
    .argument('<ADDRESS>', '', readAddress)
    .action((address: EmailAddress) =>
      withDatabase(context, async (deps) => {
        await erasePerson(deps, (await findByAddress(deps.database, address)).id)
        const isClear = await deps.database.clearDeleted()
        const traces = [
          ...(isClear ? [] : ['The running server clears its files within the hour.']),
          ...(deps.database.leavesTraces()
            ? ['Old copies in the files are overwritten as the database is used.']
            : []),
        ]
        const words = ['Erased.', ...traces, 'Backups made before still hold the address.']
        await context.write(`${words.join(' ')}\n`)
      }),
    )
}
