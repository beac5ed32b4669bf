import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { writeNewFile } from '#owner/acts/new-file.ts'
import { addCommand, readMoment } from '#owner/acts/options.ts'
import { countText, plainText } from '#owner/acts/output.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { eventRecorder } from '#owner/mail/webhooks/record-event.ts'
import { readImport, type RefusedLine } from './read-import.ts'
import { groupRefusals, refusedLinesFile } from './refused-lines.ts'
import { finishWithProgress } from '#owner/acts/jobs/finish-with-progress.ts'
import { importOutcome, outcomeOf } from '#owner/acts/jobs/job-words.ts'
import { importAct, startImport } from './import-people.ts'
import { tryImport } from './try-import.ts'

interface ImportCommandOptions {
  dryRun?: boolean
  consentedAt?: number
  statusColumn?: string
  refused?: string
}

export function addImportCommand(subscribers: Command, context: CommandContext): void {
  const description =
    'Put the people in a CSV file on the list. Nobody is mailed, and people already on it stay as they are'
  const consented = new Option(
    '--consented-at <DATE>',
    'All of them agreed that day to hear from you',
  )
  addCommand(subscribers, 'import', description, 'data/people.csv')
    .argument(
      '<FILE>',
      'Its first line names the columns: email and, optionally, announcements_agreed_at',
    )
    .option('--dry-run', 'Say what would happen, and change nothing')
    .addOption(consented.argParser((text) => readMoment(text, 0)))
    .option('--status-column <NAME>', 'The only column that says who has left')
    .option('--refused <FILE>', 'Write every refused line, and why, to a new file')
    .action((file: string, options: ImportCommandOptions) => importFile(context, file, options))
}

async function importFile(
  context: CommandContext,
  file: string,
  { dryRun: isDryRun = false, consentedAt, statusColumn, refused }: ImportCommandOptions,
): Promise<void> {
  const list = readFileSync(file)
  await withDatabase(context, async ({ database, config, now }) => {
    const read = await readImport(list, { consentedAt, statusColumn, now: now() })
    const tried = await tryImport(database, read)
    await context.write(refusalLines(tried.refused))
    if (refused !== undefined) {
      await writeNewFile(refused, (lines) => lines.writeFile(refusedLinesFile(tried.refused)))
    }
    if (isDryRun) {
      const { wanted, known, duplicates } = tried
      const counts = { added: wanted.length, known, duplicates, refused: tried.refused.length }
      await context.write(`Nothing was changed. ${importOutcome(counts, true)}\n`)
      return
    }
    const id = await startImport(database, tried, now())
    const act = importAct({ now, recordEvent: eventRecorder(config) })
    const job = await finishWithProgress({ database, now }, id, act, 'Importing')
    await context.write(`${outcomeOf(job)}\n`)
  })
}

function refusalLines(refused: readonly RefusedLine[]): string {
  const lines: string[] = []
  for (const { reason, count, examples } of groupRefusals(refused)) {
    for (const { line, why } of examples) lines.push(`Line ${line}: ${plainText(why)}.\n`)
    const further = count - examples.length
    if (further > 0) lines.push(`And ${countText(further)} more: ${plainText(reason)}.\n`)
  }
  return lines.join('')
}
