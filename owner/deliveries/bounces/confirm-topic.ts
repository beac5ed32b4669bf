import type { Command } from 'commander'
import type { Connection } from '#server/database/database.ts'
import { CommandError, type CommandContext } from '../../command-line/command-context.ts'
import { addExample } from '../../command-line/options.ts'
import { configOf, withDatabase } from '../../command-line/owned-database.ts'
import { findSubscription, markConfirmed, readTopics } from './sns-topics.ts'

export function addConfirmCommand(bounces: Command, context: CommandContext): void {
  const command = bounces
    .command('confirm')
    .description('Confirm the subscription of an Amazon SNS topic; without TOPIC, list those that wait')
    .argument('[TOPIC]')
  addExample(command, 'bounces confirm arn:aws:sns:eu-west-1:123456789012:bounces')
  command.action((topic?: string) => confirmTopic(context, topic))
}

async function confirmTopic(context: CommandContext, topic: string | undefined): Promise<void> {
  await withDatabase(configOf(context), async ({ query }) => {
    if (topic === undefined) return context.write(await listTopics(query))
    const url = await findSubscription(query, topic)
    if (url === undefined)
      throw new CommandError(`No subscription of ${topic} waits. "bounces confirm" lists those that do.`)
    await openLink(url)
    await markConfirmed(query, topic)
    await context.write(`Confirmed. The server takes the reports of ${topic} from now on.\n`)
  })
}

/** The link came in a message with a valid signature. */
async function openLink(url: string): Promise<void> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(15_000) }).catch(
    () => undefined,
  )
  if (answer?.ok) return
  throw new CommandError(
    `Amazon did not confirm it (${answer?.status ?? 'no answer'}). Its link is valid for three days: request the confirmation again in the SNS console.`,
  )
}

async function listTopics(query: Connection): Promise<string> {
  const { confirmed, waiting } = await readTopics(query)
  const lines = [
    ...waiting.map(({ topic, since }) => `waits since ${since}  ${topic}`),
    ...confirmed.map((topic) => `confirmed  ${topic}`),
  ]
  return lines.length > 0 ? `${lines.join('\n')}\n` : 'No topic of Amazon SNS has subscribed.\n'
}
