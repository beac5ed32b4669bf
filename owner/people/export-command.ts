import { type Command, Option } from 'commander'
import type { SubscriberState } from '#server/subscribers/subscribers.ts'
import { type CommandContext, type ListFilter, UsageError } from '#owner/acts/command-context.ts'
import { addCommand, addFilterOptions, jsonOption } from '#owner/acts/options.ts'
import { counted } from '#owner/acts/output.ts'
import { writeNewFile } from '#owner/acts/new-file.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { type ExportOrder, startExport } from './export-subscribers.ts'
import { subscriberStates } from './list-subscribers.ts'
import { type Tool, tools } from './tool-names.ts'

interface ExportOptions extends ListFilter<SubscriberState | 'all'> {
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
  const command = addCommand(subscribers, 'export', description, 'data/subscribers.csv')
  addFilterOptions(command, [...subscriberStates, 'all'], 'Those in this state, active by default')
    .argument('[FILE]', 'A new file. Without it the result is printed')
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
