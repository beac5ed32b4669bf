import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { type CommandContext, CommandError } from '../command-line/command-context.ts'
import { addListCommand } from '../command-line/list-command.ts'
import { addCommand, readIdOrFailed } from '../command-line/options.ts'
import { counted, timeText } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { postEvent } from './post-event.ts'
import { isGone, newestEvents, recordGone, replayEvents, webhookStates } from './webhook-events.ts'

export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhooks = program.command('webhooks').description('Events that are sent to WEBHOOK_URL')

  addListCommand(webhooks, context, {
    states: webhookStates,
    example: '--state failed --limit 10',
    select: newestEvents,
    asRecord: ({ id, type, subscriber, state, occurred_at, finished_at, failures, last_fault }) => ({
      id,
      type,
      subscriber,
      state,
      occurred: timeText(occurred_at),
      finished: timeText(finished_at),
      failures,
      error: last_fault ?? '',
    }),
  })

  const testing = 'Send a signed test event now. After a 410, success turns sending on again'
  addCommand(webhooks, 'test', testing, '').action(() => sendTestEvent(context))

  const replaying = 'Send an event again, or all failed ones, each with the webhook-id it had'
  addCommand(webhooks, 'replay', replaying, 'failed')
    .argument('<ID|failed>', 'The number of an event, or "failed"', readIdOrFailed)
    .action((which: number | 'failed') => replayWebhooks(context, which))
}

async function sendTestEvent(context: CommandContext): Promise<void> {
  const config = configOf(context)
  const endpoint = config.webhook
  if (!endpoint) throw new CommandError('WEBHOOK_URL is not set, so no events are sent.')
  const now = context.now()
  const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date(now).toISOString(), data: {} })
  const id = `msg_${randomUUID().replaceAll('-', '')}`
  const { kind, why } = await postEvent(endpoint, { id, body }, now)
  switch (kind) {
    case 'delivered':
      await withDatabase(config, ({ query }) => recordGone(query, undefined))
      return context.write(`The receiver took the test event (${why}).\n`)
    case 'gone':
      throw new CommandError(`The receiver wants no events (${why}).`)
    case 'not-delivered':
      throw new CommandError(`The receiver did not take the test event: ${why}.`)
    default:
      return kind satisfies never
  }
}

async function replayWebhooks(context: CommandContext, which: number | 'failed'): Promise<void> {
  const config = configOf(context)
  await withDatabase(config, async ({ query }) => {
    const count = await replayEvents(query, which, context.now())
    if (count === 0 && which !== 'failed') throw new CommandError(`There is no event ${which}.`)
    await context.write(`${counted(count, 'event is', 'events are')} queued again.\n`)
    if (!config.webhook) context.writeError('WEBHOOK_URL is not set, so no events are sent.\n')
    else if (await isGone(query, config.webhook.url))
      context.writeError('The receiver answered 410, so no events are sent: try "webhooks test".\n')
  })
}
