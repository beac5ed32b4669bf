import type { Command } from 'commander'
import { parseEmailAddress } from '#contract/email-address.ts'
import { CommandError, type CommandContext } from '../../command-line/command-context.ts'
import { addCommand } from '../../command-line/options.ts'
import { counted } from '../../command-line/output.ts'
import { configOf, withDatabase } from '../../command-line/owned-database.ts'
import { inBatches } from '../../command-line/in-batches.ts'
import { markBounced } from './mark-bounced.ts'
import { readBounces } from './read-bounces.ts'
import { markConfirmed, readTopics } from './sns-topics.ts'

export function addBounceCommands(program: Command, context: CommandContext): void {
  const bounces = program.command('bounces').description('Reports of mail that came back')

  const importing = 'Mark the addresses in a list or CSV of bounces as undeliverable, and cancel their mail'
  addCommand(bounces, 'import', importing, 'data/bounces.csv')
    .argument('<FILE>')
    .action((file: string) => importBounces(context, file))

  const confirming = 'Confirm the subscription of an Amazon SNS topic; without TOPIC, list those that wait'
  addCommand(bounces, 'confirm', confirming, 'arn:aws:sns:eu-west-1:123456789012:bounces')
    .argument('[TOPIC]')
    .action((topic?: string) => (topic === undefined ? listTopics(context) : confirmTopic(context, topic)))
}

async function importBounces(context: CommandContext, file: string): Promise<void> {
  const config = configOf(context)
  // Many reports name our own addresses, as the sender or as the recipient of the report.
  const ours = [config.mailFrom.address, config.supportEmail]
  const own = new Set(ours.map((one) => parseEmailAddress(one)?.identity))
  const counts = { read: 0, marked: 0, cancelled: 0, leftAlone: 0 }
  await withDatabase(config, async (database) => {
    for await (const rows of inBatches(readBounces(file))) {
      const bounces = rows.filter(({ identity, isPermanent }) => isPermanent && !own.has(identity))
      const { marked, cancelled } = await markBounced(database, bounces, context.now())
      counts.read += rows.length
      counts.marked += marked
      counts.cancelled += cancelled
      counts.leftAlone += rows.filter(({ isPermanent }) => !isPermanent).length
    }
  })
  await context.write(
    `${counted(counts.read, 'address', 'addresses')} read, ${counts.marked} marked as undeliverable, ${counted(counts.cancelled, 'waiting mail')} cancelled.\n`,
  )
  if (counts.leftAlone > 0)
    await context.write(
      `${counts.leftAlone} left unchanged: the file does not call their bounce permanent.\n`,
    )
}

async function listTopics(context: CommandContext): Promise<void> {
  const { confirmed, waiting } = await withDatabase(configOf(context), ({ query }) => readTopics(query))
  const lines = [
    ...waiting.map(({ topic, since }) => `waits since ${since}  ${topic}\n`),
    ...confirmed.map((topic) => `confirmed  ${topic}\n`),
  ]
  await context.write(lines.join('') || 'No topic of Amazon SNS has subscribed.\n')
}

async function confirmTopic(context: CommandContext, topic: string): Promise<void> {
  await withDatabase(configOf(context), async ({ query }) => {
    const { waiting } = await readTopics(query)
    const subscription = waiting.find((one) => one.topic === topic)
    if (!subscription)
      throw new CommandError(`No subscription of ${topic} waits. "bounces confirm" lists those that do.`)
    // The link came in a message with a valid signature.
    const signal = AbortSignal.timeout(15_000)
    const answer = await fetch(subscription.url, { redirect: 'error', signal }).catch(() => undefined)
    if (!answer?.ok)
      throw new CommandError(
        `Amazon did not confirm it (${answer?.status ?? 'no answer'}). Its link is valid for three days: request the confirmation again in the SNS console.`,
      )
    await markConfirmed(query, topic)
    await context.write(`Confirmed. The server takes the reports of ${topic} from now on.\n`)
  })
}
