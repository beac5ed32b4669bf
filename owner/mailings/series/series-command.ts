import type { Command } from 'commander'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { addCommand, jsonOption, readPositiveInteger } from '#owner/acts/options.ts'
import { plainJson } from '#owner/acts/output.ts'
import { recordTable } from '#owner/acts/tables.ts'
import { type OwnedDatabase, withDatabase } from '#owner/acts/owned-database.ts'
import { readLetterFile } from '../letters/letter-file.ts'
import { addPicture } from '../letters/pictures.ts'
import { readServedMails } from '../served-mails.ts'
import { readSeries } from './figures.ts'
import {
  addToSeries,
  removeFromSeries,
  type SeriesContext,
  seriesContext,
  switchSeries,
} from './series.ts'

export function addSeriesCommands(program: Command, context: CommandContext): void {
  const series = program
    .command('series')
    .description('Letters that follow the kit, some days after somebody asked for news')
  addCommand(series, 'list', 'Show the letters in their order, with their figures', '')
    .addOption(jsonOption)
    .action((options: { json?: true }) => run(context, () => Promise.resolve(), options))
  addCommand(series, 'add', 'Add a letter', 'tips.md --after-days 20')
    .argument('<FILE>', 'Markdown that begins with the lines ---, subject: …, ---')
    .requiredOption('--after-days <N>', 'Days after their consent, 1 to 60', readPositiveInteger)
    .action(async (file: string, { afterDays }: { afterDays: number }) => {
      await run(context, async (deps) => {
        const { database, now } = deps
        const letter = await readLetterFile(file, (bytes) => addPicture(database, bytes, now()))
        const { name, subject, preview = '', text } = letter
        await addToSeries(deps, { name, subject, preview, text, afterDays })
      })
    })
  const name = ['[NAME]', 'One letter. Without it, the whole series'] as const
  addCommand(series, 'on', 'Switch the series on, or one of its letters', '')
    .argument(...name)
    .action((letter?: string) => run(context, (deps) => switchSeries(deps, true, letter)))
  addCommand(series, 'off', 'Switch the series off, or one of its letters', '')
    .argument(...name)
    .action((letter?: string) => run(context, (deps) => switchSeries(deps, false, letter)))
  addCommand(series, 'remove', 'Take a letter out of the series', 'tips')
    .argument('<NAME>')
    .action((letter: string) => run(context, (deps) => removeFromSeries(deps, letter)))
}

/** Acts, and shows the series after it. */
async function run(
  context: CommandContext,
  act: (deps: SeriesContext) => Promise<void>,
  { json }: { json?: true } = {},
): Promise<void> {
  await withDatabase(context, async (owned) => {
    const deps = await depsOf(context, owned)
    await act(deps)
    const { isOn, letters } = await readSeries(owned.database, deps.content)
    if (json) return context.write(plainJson({ isOn, letters }))
    const shown = letters.map((letter) => ({ ...letter, switch: letter.isOn ? 'on' : 'off' }))
    const columns = [
      'name',
      'afterDays',
      'switch',
      'due',
      'sent',
      'failed',
      'left',
      'subject',
    ] as const
    const paused = letters.flatMap(({ name, pausedWhy }) =>
      pausedWhy === null ? [] : [`${name} has paused: ${pausedWhy}.\n`],
    )
    const state = `The series is ${isOn ? 'on' : 'off'}.\n`
    return context.write(recordTable(shown, columns) + paused.join('') + state)
  })
}

async function depsOf(
  context: CommandContext,
  { database, now }: OwnedDatabase,
): Promise<SeriesContext> {
  const { content, mails } = await readServedMails(context, database)
  return seriesContext({ database, now, content, mails })
}
