import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { CommandContext } from '../command-line/command-context.ts'
import { addCommand, readMoment } from '../command-line/options.ts'
import { countText, plainText } from '../command-line/output.ts'
import { withDatabase } from '../command-line/owned-database.ts'
import { startProgress } from '../command-line/progress.ts'
import { readImport } from './read-import.ts'
import { runImport } from './run-import.ts'

export function addImportCommand(subscribers: Command, context: CommandContext): void {
  const description =
    'Put the people in a CSV file on the list. Nobody is mailed, and who is on it stays as they are'
  const consented = new Option(
    '--consented-at <DATE>',
    'All of them agreed that day to hear from you',
  )
  addCommand(subscribers, 'import', description, 'data/people.csv')
    .argument(
      '<FILE>',
      'Its first line names the columns: email, and if you like announcements_agreed_at',
    )
    .option('--dry-run', 'Say what would happen, and change nothing')
    .addOption(consented.argParser((text) => readMoment(text, 0)))
    .action(
      (file: string, { dryRun = false, consentedAt }: { dryRun?: boolean; consentedAt?: number }) =>
        withDatabase(context, async (deps) => {
          const read = await readImport(readFileSync(file, 'utf8'), {
            consentedAt,
            now: deps.now(),
          })
          const progress = startProgress('Importing', read.people.length)
          const importing = runImport(deps, read, dryRun, progress.add)
          const { added, known, refused } = await importing.finally(progress.end)
          for (const { line, why } of refused) {
            await context.write(`Line ${line}: ${plainText(why)}.\n`)
          }
          const done = dryRun ? 'would be added' : 'added'
          if (dryRun) await context.write('Nothing was changed. ')
          await context.write(
            `${countText(added)} ${done}, ${countText(known)} on the list before, `,
          )
          await context.write(`${countText(refused.length)} refused.\n`)
        }),
    )
}
