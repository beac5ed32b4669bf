import type { Command } from 'commander'
import type { EmailAddress } from '#contract/email-address.ts'
import type { Reader } from '#server/database/database.ts'
import { type CommandContext, CommandError } from '../command-line/command-context.ts'
import { addListCommand } from '../command-line/list-command.ts'
import { addCommand, jsonOption, readAddress } from '../command-line/options.ts'
import { plainJson, recordLines, recordTable } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { deliveriesOf } from '../deliveries/list-deliveries.ts'
import { eventRecorder } from '../webhooks/record-event.ts'
import { erasePerson } from './change-subscriber.ts'
import { addExportCommand } from './export-command.ts'
import { addImportCommand } from './import-command.ts'
import {
  findByIdentity,
  type ListedSubscriber,
  newestSubscribers,
  subscriberStates,
} from './list-subscribers.ts'

export function addSubscriberCommands(program: Command, context: CommandContext): void {
  const subscribers = program.command('subscribers').description('The people on the list')

  addListCommand(subscribers, context, {
    states: subscriberStates,
    example: '--state active --since 2026-11-01',
    select: newestSubscribers,
    columns: ['address', 'state', 'signed_up_at', 'last_mailed_at'],
  })

  addCommand(subscribers, 'find', 'Show one subscriber and every delivery to them', 'ada@example.com')
    .argument('<ADDRESS>', '', readAddress)
    .addOption(jsonOption)
    .action((address: EmailAddress, { json }: { json?: true }) => findSubscriber(context, address, json))

  addExportCommand(subscribers, context)
  addImportCommand(subscribers, context)

  const erasing = 'Remove every trace of an address from the database and the local inbox'
  addCommand(subscribers, 'erase', erasing, 'ada@example.com')
    .argument('<ADDRESS>', '', readAddress)
    .action((address: EmailAddress) => eraseSubscriber(context, address))
}

async function findSubscriber(context: CommandContext, address: EmailAddress, json?: true): Promise<void> {
  await withDatabase(configOf(context), async (database) => {
    const subscriber = await findByAddress(database, address)
    const deliveries = await deliveriesOf(database, subscriber.id)
    if (json) return context.write(plainJson({ subscriber, deliveries }))
    const table =
      deliveries.length > 0
        ? recordTable(deliveries, ['id', 'state', 'queued_at', 'finished_at', 'last_fault'])
        : 'No deliveries.\n'
    await context.write(`${recordLines(subscriber)}\n${table}`)
  })
}

async function eraseSubscriber(context: CommandContext, address: EmailAddress): Promise<void> {
  const config = configOf(context)
  await withDatabase(config, async (database) => {
    const { id } = await findByAddress(database, address)
    await erasePerson({ database, config, now: context.now, recordEvent: eventRecorder(config) }, id)
    const isClear = await database.clearDeleted()
    const traces = isClear ? '' : 'The running server clears the last traces from its files within the hour. '
    await context.write(`Erased. ${traces}Backups made before still hold the address.\n`)
  })
}

async function findByAddress(reader: Reader, typed: EmailAddress): Promise<ListedSubscriber> {
  const found = await findByIdentity(reader, typed.identity)
  if (!found) throw new CommandError(`${typed.address} is not on the list.`)
  return found
}
