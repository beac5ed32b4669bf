import type { Command } from 'commander'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { addCommand, idOr } from '#owner/acts/terminal/options.ts'
import { explainNetworkFault } from '#owner/acts/network-faults.ts'
import { counted } from '#owner/acts/output.ts'
import { configOf, withDatabase } from '#owner/acts/owned-database.ts'
import { postTestEvent } from './post-event.ts'
import { replayEvents } from './record-event.ts'

export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhooks = program.command('webhooks').description('Events that are sent to WEBHOOK_URL')

  const testing = 'Send a signed test event with every field'
  addCommand(webhooks, 'test', testing, '').action(async () => {
    const { webhook } = configOf(context)
    if (!webhook) throw new CommandError('WEBHOOK_URL is not set, so no events are sent.')
    const { isDelivered, answer } = await postTestEvent(webhook, context.now())
    if (!isDelivered) {
      const why = explainNetworkFault(answer) ?? answer
      throw new CommandError(`The receiver did not take the test event: ${why}.`)
    }
    await context.write(`The receiver took the test event (${answer}).\n`)
  })

  const replaying = 'Send an event again, or all failed ones, each with the webhook-id it had'
  addCommand(webhooks, 'replay', replaying, 'failed')
    .argument('<ID|failed>', 'The number of an event, or "failed"', idOr('failed'))
    .action((which: number | 'failed') =>
      withDatabase(context, async ({ database, config }) => {
        const count = await replayEvents(database, which, context.now())
        if (count === 0 && which !== 'failed') {
          throw new CommandError(`There is no event ${which}, or it is being sent now.`)
        }
        await context.write(`${counted(count, 'event is', 'events are')} queued again.\n`)
        if (!config.webhook) context.writeError('WEBHOOK_URL is not set, so no events are sent.\n')
      }),
    )
}
