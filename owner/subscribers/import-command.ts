import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { CommandContext } from '../command-line/command-context.ts'
import { addCommand, readMoment } from '../command-line/options.ts'
import { countText, plainText } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { startProgress } from '../command-line/progress.ts'
import { eventRecorder } from '../webhooks/record-event.ts'
import { readImport } from './read-import.ts'
import { runImport } from './run-import.ts'

interface ImportCommandOptions {
  dryRun?: true
  consentedAt?: number
}

export function addImportCommand(subscribers: Command, context: CommandContext): void {
  const description =
    'Put the people in a CSV file on the list. Nobody is mailed, and who is on it stays as they are'
  const consented = new Option('--consented-at <DATE>', 'All of them agreed that day to hear from you')
  addCommand(subscribers, 'import', description, 'data/people.csv')
    .argument('<FILE>', 'Its first line names the columns: email, and if you like announcements_agreed_at')
    .option('--dry-run', 'Say what would happen, and change nothing')
    .addOption(consented.argParser((text) => readMoment(text, 0)))
    .action((file: string, options: ImportCommandOptions) => importFile(context, file, options))
}

async function importFile(
  context: CommandContext,
  file: string,
  options: ImportCommandOptions,
): Promise<void> {
  const { dryRun: isDryRun = false, consentedAt } = options
  const { now, write } = context
  const config = configOf(context)
  await withDatabase(config, async (database) => {
    const { people, refused } = await readImport(readFileSync(file, 'utf8'), { consentedAt, now: now() })
    const deps = { database, now, recordEvent: eventRecorder(config) }
    const progress = startProgress(context, 'Importing', people.length)
    const result = await runImport(deps, people, isDryRun, progress.add).finally(progress.end)
    const lines = [...refused, ...result.refused].toSorted((a, b) => a.line - b.line)
    for (const { line, why } of lines) await write(`Line ${line}: ${plainText(why)}.\n`)
    const [would, added] = isDryRun ? ['Nothing was changed. ', 'would be added'] : ['', 'added']
    const figures = [`${countText(result.added)} ${added}`, `${countText(result.known)} on the list before`]
    await write(`${would}${figures.join(', ')}, ${countText(lines.length)} refused.\n`)
  })
}
