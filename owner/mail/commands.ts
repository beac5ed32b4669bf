import type { Command } from 'commander'
import type { Reader } from '#server/database/database.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { addCommand, idOr } from '#owner/acts/terminal/options.ts'
import { counted } from '#owner/acts/output.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { finishWithProgress } from '#owner/acts/jobs/finish-with-progress.ts'
import { describeRetry, outcomeOf } from '#owner/acts/jobs/job-words.ts'
import { eventRecorder, jobEventRecorder } from './webhooks/record-event.ts'
import {
  type FailedMail,
  findFailed,
  findHeld,
  retry,
  retryAct,
  startRetry,
} from './retry-deliveries.ts'

export function addDeliveryCommands(program: Command, context: CommandContext): void {
  const deliveries = program
    .command('deliveries')
    .description('The mails sent and still to be sent')

  const description =
    'Send a delivery now, or all failed ones that another try may help, or those held after a restore'
  addCommand(deliveries, 'retry', description, 'failed')
    .argument(
      '<ID|failed|held>',
      'The number of a delivery, "failed" or "held"',
      idOr('failed', 'held'),
    )
    .action((which: number | 'failed' | 'held') =>
      typeof which === 'number' ? retryOne(context, which) : retryAll(context, which),
    )
}

async function retryAll(context: CommandContext, state: 'failed' | 'held'): Promise<void> {
  await withDatabase(context, async ({ database, config, now }) => {
    const { hopeful, hopeless } = await findMails(database.ownerReads, state)
    const id = await startRetry(database, hopeful, now())
    const act = retryAct({ now, recordEvent: jobEventRecorder(config) })
    const job = await finishWithProgress({ database, now }, id, act, 'Queueing again')
    await context.write(`${outcomeOf(job)}\n`)
    if (hopeless > 0) {
      const mails = counted(hopeless, 'mail')
      await context.write(
        `${mails} left out: there is no such mailbox. Correct the address first.\n`,
      )
    }
  })
}

async function findMails(reader: Reader, state: 'failed' | 'held'): Promise<FailedMail> {
  if (state === 'failed') return findFailed(reader)
  return { hopeful: await findHeld(reader), hopeless: 0 }
}

async function retryOne(context: CommandContext, id: number): Promise<void> {
  await withDatabase(context, async ({ database, config, now }) => {
    const outcome = await retry({ database, now, recordEvent: eventRecorder(config) }, [id])
    await context.write(`${describeRetry(outcome)}\n`)
  })
}
