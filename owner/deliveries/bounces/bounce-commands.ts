import type { Command } from 'commander'
import { parseEmailAddress } from '#contract/email-address.ts'
import { readSecret } from '#server/database/settings.ts'
import type { CommandContext } from '../../command-line/command-context.ts'
import { inBatches } from '../../command-line/in-batches.ts'
import { addCommand } from '../../command-line/options.ts'
import { counted } from '../../command-line/output.ts'
import { configOf, withDatabase } from '../../command-line/owned-database.ts'
import { eventRecorder } from '../../webhooks/record-event.ts'
import { markBounced } from './mark-bounced.ts'
import { readBounces } from './read-bounces.ts'

const batchSize = 200

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
  const counts = { read: 0, marked: 0, leftAlone: 0 }
  await withDatabase(config, async (database) => {
    for (const rows of inBatches(readBounces(file), batchSize)) {
      const bounces = rows.filter(({ identity, isPermanent }) => isPermanent && !own.has(identity))
      counts.read += rows.length
      counts.leftAlone += rows.filter(({ isPermanent }) => !isPermanent).length
      counts.marked += await database.transaction(async (transaction) => {
        const secret = await readSecret(transaction)
        const recordEvent = eventRecorder(config)
        return markBounced(transaction, bounces, { recordEvent, secret, now: context.now() })
      })
    }
  })
  const read = counted(counts.read, 'address', 'addresses')
  await context.write(`${read} read, ${counts.marked} marked as undeliverable or blocked.\n`)
  if (counts.leftAlone > 0)
    await context.write(
      `${counts.leftAlone} left unchanged: the file does not call their bounce permanent.\n`,
    )
}
