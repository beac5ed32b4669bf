import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { finishWithProgress } from '#owner/acts/jobs/finish-with-progress.ts'
import { outcomeOf, suppressOutcome } from '#owner/acts/jobs/job-words.ts'
import { addCommand } from '#owner/acts/terminal/options.ts'
import { counted } from '#owner/acts/output.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { jobEventRecorder } from '#owner/mail/webhooks/record-event.ts'
import { readSuppressed } from './read-suppressed.ts'
import { startSuppress, suppressAct, trySuppress } from './suppress-people.ts'

interface SuppressCommandOptions {
  dryRun?: boolean
  addressColumn?: string
  reason?: keyof typeof reasons
}

const reasons = {
  bounce: 'returned',
  complaint: 'complaint',
  unsubscribe: 'unsubscribed',
} as const

export function addSuppressCommand(subscribers: Command, context: CommandContext): void {
  const description =
    'Take the people in a CSV file off the list, each with its reason, and cancel their mail'
  const reason = new Option('--reason <REASON>', 'Of all of them, whatever the file says')
  addCommand(subscribers, 'suppress', description, 'data/bounces.csv')
    .argument('<FILE>', 'Its first line names the columns, one of them email or recipient')
    .option('--dry-run', 'Say what would happen, and change nothing')
    .option('--address-column <NAME>', 'The column of addresses')
    .addOption(reason.choices(Object.keys(reasons)))
    .action((file: string, options: SuppressCommandOptions) => suppressFile(context, file, options))
}

async function suppressFile(
  context: CommandContext,
  file: string,
  { dryRun: isDryRun = false, addressColumn, reason }: SuppressCommandOptions,
): Promise<void> {
  const table = readFileSync(file)
  await withDatabase(context, async ({ database, config, now }) => {
    const reports = await readSuppressed(table, {
      addressColumn,
      reason: reason && reasons[reason],
    })
    const tried = await trySuppress(database, reports, config)
    const read = counted(reports.length, 'address', 'addresses')
    if (isDryRun) {
      await context.write(
        `Nothing was changed. ${read} read. ${suppressOutcome(tried.taken, true)}\n`,
      )
    } else {
      const id = await startSuppress(database, tried, now())
      const act = suppressAct({ now, recordEvent: jobEventRecorder(config) })
      const job = await finishWithProgress({ database, now }, id, act, 'Taking off the list')
      await context.write(`${read} read. ${outcomeOf(job)}\n`)
    }
    const { unchanged } = tried
    if (unchanged > 0) {
      await context.write(
        `${unchanged} left unchanged: the file does not say that their mailbox is gone, or that they left.\n`,
      )
    }
  })
}
