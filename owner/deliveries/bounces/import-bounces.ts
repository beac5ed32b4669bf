import type { Command } from 'commander'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Config } from '#server/configuration/config.ts'
import type { CommandContext } from '../../command-line/command-context.ts'
import { addExample } from '../../command-line/options.ts'
import { configOf, withDatabase } from '../../command-line/owned-database.ts'
import { addConfirmCommand } from './confirm-topic.ts'
import { type Bounce, markBounced } from './mark-bounced.ts'
import { readBounces } from './read-bounces.ts'

export function addBounceCommands(program: Command, context: CommandContext): void {
  const bounces = program.command('bounces').description('Reports of mail that came back')
  const command = bounces
    .command('import')
    .description('Mark the addresses in a list or CSV of bounces as undeliverable, and cancel their mail')
    .argument('<FILE>')
  addExample(command, 'bounces import data/bounces.csv')
  command.action((file: string) => importBounces(context, file))
  addConfirmCommand(bounces, context)
}

const batchSize = 500

/** Works in batches, so that a long file needs no more memory than a short one. */
async function importBounces(context: CommandContext, file: string): Promise<void> {
  const { now, write } = context
  const config = configOf(context)
  const counts = { read: 0, marked: 0, cancelled: 0, leftAlone: 0 }
  const own = ownIdentities(config)
  await withDatabase(config, async (database) => {
    let batch: Bounce[] = []
    const markBatch = async () => {
      const { marked, cancelled } = await markBounced(database, batch, now())
      counts.marked += marked
      counts.cancelled += cancelled
      batch = []
    }
    for await (const { identities, isPermanent } of readBounces(file)) {
      counts.read += identities.length
      if (!isPermanent) counts.leftAlone += identities.length
      else for (const identity of identities) if (!own.has(identity)) batch.push({ identity })
      if (batch.length >= batchSize) await markBatch()
    }
    await markBatch()
  })
  await write(
    `${counts.read} addresses read, ${counts.marked} marked as undeliverable, ${counts.cancelled} waiting mails cancelled.\n`,
  )
  if (counts.leftAlone > 0)
    await write(`${counts.leftAlone} left unchanged: the file does not call their bounce permanent.\n`)
}

/** Many reports name them, as the sender or as the address that is told. */
function ownIdentities({ mailFrom, supportEmail }: Config): Set<string> {
  return new Set(
    [mailFrom.address, supportEmail].flatMap((address) => parseEmailAddress(address)?.identity ?? []),
  )
}
