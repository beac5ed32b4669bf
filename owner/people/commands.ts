import type { Command } from 'commander'
import type { EmailAddress } from '#contract/email-address.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { addCommand, jsonOption, readAddress } from '#owner/acts/terminal/options.ts'
import { plainJson } from '#owner/acts/output.ts'
import { recordLines, recordTable } from '#owner/acts/terminal/tables.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { deliveriesOf } from '#owner/mail/list-deliveries.ts'
import { eventRecorder } from '#owner/mail/webhooks/record-event.ts'
import { erasePerson } from './change-subscriber.ts'
import { addExportCommand } from './export/export-command.ts'
import { addImportCommand } from './import/import-command.ts'
import { addSuppressCommand } from './suppress/suppress-command.ts'
import { firstAlertOf } from './first-alert-of.ts'
import { findByAddress } from './list-subscribers.ts'

export function addSubscriberCommands(program: Command, context: CommandContext): void {
  const subscribers = program.command('subscribers').description('The people on the list')

  addFindCommand(subscribers, context)
  addExportCommand(subscribers, context)
  addImportCommand(subscribers, context)
  addSuppressCommand(subscribers, context)
  addEraseCommand(subscribers, context)
}

function addFindCommand(subscribers: Command, context: CommandContext): void {
  const description =
    'Show one subscriber, every delivery to them, and what came to their test address'
  addCommand(subscribers, 'find', description, 'ada@example.com')
    .argument('<ADDRESS>', '', readAddress)
    .addOption(jsonOption)
    .action((address: EmailAddress, { json = false }: { json?: boolean }) =>
      find(context, address, json),
    )
}

const deliveryColumns = ['id', 'state', 'queued_at', 'finished_at', 'last_fault'] as const

const arrivalColumns = ['at', 'contentType', 'message'] as const

async function find(
  context: CommandContext,
  address: EmailAddress,
  isJson: boolean,
): Promise<void> {
  await withDatabase(context, async ({ database, now }) => {
    const subscriber = await findByAddress(database, address)
    const deliveries = await deliveriesOf(database, subscriber.id)
    const firstAlert = await firstAlertOf(database, subscriber.id, now())
    if (isJson) {
      await context.write(plainJson({ subscriber, deliveries, first_alert: firstAlert }))
      return
    }
    const { arrivals, reached, ends_at } = firstAlert
    const parts = [
      recordLines(subscriber),
      deliveries.length > 0 ? recordTable(deliveries, deliveryColumns) : 'No deliveries.\n',
      ...(reached ? [recordLines({ first_alert: reached, test_address_ends_at: ends_at })] : []),
      ...(arrivals.length > 0 ? [recordTable(arrivals, arrivalColumns)] : []),
    ]
    await context.write(parts.join('\n'))
  })
}

function addEraseCommand(subscribers: Command, context: CommandContext): void {
  const description = 'Erase a person, their deliveries, and their mail in the local inbox'
  addCommand(subscribers, 'erase', description, 'ada@example.com')
    .argument('<ADDRESS>', '', readAddress)
    .action((address: EmailAddress) => erase(context, address))
}

async function erase(context: CommandContext, address: EmailAddress): Promise<void> {
  await withDatabase(context, async ({ database, config, now }) => {
    const { id } = await findByAddress(database, address)
    await erasePerson({ database, config, now, recordEvent: eventRecorder(config) }, id)
    const isClear = await database.clearDeleted()
    const traces = [
      ...(isClear ? [] : ['The running server clears its files within the hour.']),
      ...(database.leavesTraces()
        ? ['Old copies in the files are overwritten as the database is used.']
        : []),
    ]
    const words = ['Erased.', ...traces, 'Earlier backups still hold the address.']
    await context.write(`${words.join(' ')}\n`)
  })
}
