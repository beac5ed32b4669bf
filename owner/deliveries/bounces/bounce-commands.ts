import type { Command } from 'commander'
import { parseEmailAddress } from '#contract/email-address.ts'
import { readSecret } from '#server/database/settings.ts'
import type { CommandContext } from '../../command-line/command-context.ts'
import { addCommand } from '../../command-line/options.ts'
import { counted } from '../../command-line/output.ts'
import { configOf, withDatabase } from '../../command-line/owned-database.ts'
import { eventRecorder } from '../../webhooks/record-event.ts'
import { markBounced } from './mark-bounced.ts'
import { readBounces } from './read-bounces.ts'

export function addBounceCommands(program: Command, context: CommandContext): void {
  const bounces = program.command('bounces').description('Reports of mail that came back')
  const importing = 'Mark the addresses in a list or CSV of bounces as undeliverable, and cancel their mail'
  addCommand(bounces, 'import', importing, 'data/bounces.csv')
    .argument('<FILE>')
    .action((file: string) => importBounces(context, file))
}

async function importBounces(context: CommandContext, file: string): Promise<void> {
  const config = configOf(context)
  // Many reports name our own addresses, as the sender or as the recipient of the report.
  const ours = [config.mailFrom.address, config.supportEmail]
  const own = new Set(ours.map((one) => parseEmailAddress(one)?.identity))
  await withDatabase(config, async (database) => {
    const read = readBounces(file)
    const permanent = read.filter(({ isPermanent }) => isPermanent)
    const secret = await database.transaction(readSecret)
    const deps = { recordEvent: eventRecorder(config), secret, now: context.now() }
    let marked = 0
    for (const bounce of permanent)
      if (!own.has(bounce.identity))
        marked += await database.transaction((transaction) => markBounced(transaction, bounce, deps))
    const addresses = counted(read.length, 'address', 'addresses')
    await context.write(`${addresses} read, ${marked} marked as undeliverable or blocked.\n`)
    const left = read.length - permanent.length
    if (left > 0)
      await context.write(`${left} left unchanged: the file does not call their bounce permanent.\n`)
  })
}
