import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { addCommand, readPositiveInteger } from '../options.ts'
import { recordTable } from '../tables.ts'
import { withDatabase } from '../owned-database.ts'
import { outcomeOf, titleOf } from './job-words.ts'
import { listJobs, stopJob } from './jobs.ts'

const shownJobs = 20

export function addJobCommands(program: Command, context: CommandContext): void {
  const description = 'Imports, retries and files of bounces, which run in the background'
  const jobs = program.command('jobs').description(description)
  addCommand(jobs, 'list', 'Show the newest jobs and how far along they are', '').action(() =>
    withDatabase(context, async ({ database }) => {
      const found = await listJobs(database, shownJobs)
      const rows = found.map((job) => {
        const { id, state, done, total, startedAt: started_at } = job
        return { id, state, done, total, started_at, what: `${titleOf(job)}: ${outcomeOf(job)}` }
      })
      const columns = ['id', 'state', 'done', 'total', 'started_at', 'what'] as const
      await context.write(rows.length > 0 ? recordTable(rows, columns) : 'No jobs.\n')
    }),
  )
  addCommand(jobs, 'stop', 'Stop a job; what it has done is not undone', '7')
    .argument('<ID>', 'The number of a job', readPositiveInteger)
    .action((id: number) =>
      withDatabase(context, async ({ database, now }) => {
        await stopJob(database, id, now())
        await context.write(`Job ${id} is stopped. What it had done is not undone.\n`)
      }),
    )
}
