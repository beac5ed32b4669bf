import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { addCommand } from '#owner/acts/options.ts'
import { counted } from '#owner/acts/output.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { jobEventRecorder } from '../webhooks/record-event.ts'
import { finishWithProgress } from '#owner/acts/jobs/finish-with-progress.ts'
import { outcomeOf } from '#owner/acts/jobs/job-words.ts'
import { bouncesAct, startBounces } from './import-bounces.ts'
import { readBounces } from './read-bounces.ts'

export function addBounceCommands(program: Command, context: CommandContext): void {
  const bounces = program.command('bounces').description('Reports of mail that came back')
  const description =
    'Take the people in a CSV file of bounces and complaints off the list, and cancel their mail'
  addCommand(bounces, 'import', description, 'data/bounces.csv')
    .argument('<FILE>', 'Its first line names the columns, one of them email or recipient')
    .action((file: string) => importFile(context, file))
}

async function importFile(context: CommandContext, file: string): Promise<void> {
  const reports = await readBounces(readFileSync(file))
  await withDatabase(context, async ({ database, config, now }) => {
    const id = await startBounces(database, reports, config, now())
    const act = bouncesAct({ now, recordEvent: jobEventRecorder(config) })
    const job = await finishWithProgress({ database, now }, id, act, 'Importing')
    const addresses = counted(reports.length, 'address', 'addresses')
    await context.write(`${addresses} read. ${outcomeOf(job)}\n`)
    const unchanged = reports.filter(({ kind }) => kind === 'nothing').length
    if (unchanged > 0) {
      await context.write(
        `${unchanged} left unchanged: the file does not say that their mailbox is gone, or that they left.\n`,
      )
    }
  })
}
