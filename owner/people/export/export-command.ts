import { type Command, Option } from 'commander'
import { dayMs } from '#server/database/clock.ts'
import type { SubscriberState } from '#server/subscribers/subscribers.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { UsageError } from '#owner/acts/errors.ts'
import { addCommand, jsonOption, readMoment } from '#owner/acts/terminal/options.ts'
import { counted } from '#owner/acts/output.ts'
import { writeNewFile } from '#owner/acts/terminal/new-file.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { type ExportOrder, startExport } from './export-subscribers.ts'
import { type SubscriberFilter, subscriberStates } from '../list-subscribers.ts'
import { type Tool, tools } from './tool-names.ts'

interface ExportOptions extends Pick<SubscriberFilter, 'since' | 'until'> {
  state?: SubscriberState | 'all'
  for?: Tool
  all?: boolean
  json?: boolean
}

export function addExportCommand(subscribers: Command, context: CommandContext): void {
  const description =
    'Write the active subscribers as CSV that is safe to open in a spreadsheet, or as JSON lines'
  const forTool = new Option(
    '--for <TOOL>',
    'Those who asked for news, in the columns of this tool',
  )
  const state = new Option('--state <STATE>', 'Those in this state, active by default')
  const since = 'Only from this day or time on, in UTC: 2026-11-21, 2026-11-21T09:30Z'
  const until = 'Only up to the end of this day, or up to this time'
  addCommand(subscribers, 'export', description, 'data/subscribers.csv')
    .argument('[FILE]', 'A new file. Without it the result is printed')
    .addOption(state.choices([...subscriberStates, 'all']))
    .option('--since <DATE>', since, (text) => readMoment(text, 0))
    .option('--until <DATE>', until, (text) => readMoment(text, dayMs))
    .addOption(forTool.choices(tools).conflicts('json'))
    .option('--all', 'With --for: also those who did not ask')
    .addOption(jsonOption)
    .action((file: string | undefined, options: ExportOptions) =>
      exportList(context, file, options),
    )
}

async function exportList(
  context: CommandContext,
  file: string | undefined,
  { state, since, until, for: tool, all = false, json = false }: ExportOptions,
): Promise<void> {
  if (all && !tool) {
    throw new UsageError('--all goes with --for; others are exported without it.')
  }
  const isConsented = tool !== undefined && !all
  const order: ExportOrder = {
    state,
    since,
    until,
    isConsented,
    format: tool ?? (json ? 'json' : 'csv'),
  }
  await withDatabase(context, async ({ database, now }) => {
    const pages = await startExport(database, order, now())
    if (file === undefined) {
      for await (const { text } of pages) await context.write(text)
      return
    }
    let count = 0
    await writeNewFile(file, async (unfinished) => {
      for await (const { text, rows } of pages) {
        await unfinished.appendFile(text)
        count += rows
      }
    })
    context.writeError(`${counted(count, 'subscriber')} written to ${file}\n`)
  })
}
