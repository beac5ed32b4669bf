import { linkSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import type { SubscriberState } from '#server/subscribers/subscribers.ts'
import {
  type CommandContext,
  type ListFilter,
  UsageError,
} from '../command-line/command-context.ts'
import { addCommand, addFilterOptions, jsonOption } from '../command-line/options.ts'
import { counted } from '../command-line/output.ts'
import { withDatabase } from '../command-line/owned-database.ts'
import { exportSubscribers, type ToolName, toolNames } from './export-subscribers.ts'
import { subscriberStates } from './list-subscribers.ts'

type ExportOptions = ListFilter<SubscriberState | 'all'> & {
  for?: ToolName
  all?: true
  json?: true
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
    .addOption(forTool.choices(toolNames).conflicts('json'))
    .option('--all', 'With --for: also those who did not ask')
    .addOption(jsonOption)
    .action((file: string | undefined, options: ExportOptions) => {
      const { state = 'active', since, until, for: tool, all = false, json = false } = options
      if (all && !tool) {
        throw new UsageError('--all goes with --for; others are exported without it.')
      }
      const isConsented = tool !== undefined && !all
      const filter = { state: state === 'all' ? undefined : state, since, until, isConsented }
      return withDatabase(context, async ({ database }) => {
        const pages = exportSubscribers(database, filter, tool ?? (json ? 'json' : 'csv'))
        if (file !== undefined) return writeFile(context, file, pages)
        for await (const { text } of pages) await context.write(text)
      })
    })
}

/** The file has its name once it is whole. */
async function writeFile(
  context: CommandContext,
  file: string,
  pages: ReturnType<typeof exportSubscribers>,
) {
  const unfinished = `${file}.unfinished`
  let count = 0
  try {
    await using written = await open(unfinished, 'w', 0o600)
    for await (const { text, rows } of pages) {
      await written.appendFile(text)
      count += rows
    }
    await written.sync()
    linkSync(unfinished, file) // fails if there is one
  } finally {
    rmSync(unfinished, { force: true })
  }
  context.writeError(`${counted(count, 'subscriber')} written to ${file}\n`)
}
