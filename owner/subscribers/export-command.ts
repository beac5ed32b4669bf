import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { exportSubscribers, toolFormats, type ToolName, toolNames } from './export-subscribers.ts'
import {
  countPeople,
  type SubscriberFilter,
  type SubscriberState,
  subscriberStates,
} from './list-subscribers.ts'
import { type CommandContext, UsageError } from '../command-line/command-context.ts'
import {
  addCommand,
  jsonOption,
  type PeriodOptions,
  sinceOption,
  stateOption,
  untilOption,
} from '../command-line/options.ts'
import { counted } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { startProgress } from '../command-line/progress-bar.ts'

interface ExportOptions extends PeriodOptions {
  state?: SubscriberState | 'all'
  for?: ToolName
  all?: true
  json?: true
}

export function addExportCommand(subscribers: Command, context: CommandContext): void {
  const description =
    'Write the active subscribers as CSV that is safe to open in a spreadsheet, or as JSON lines'
  const tool = new Option('--for <TOOL>', 'Those who asked for news, in the columns of this tool')
  addCommand(subscribers, 'export', description, 'data/subscribers.csv')
    .argument('[FILE]', 'A new file. Without it the result is printed')
    .addOption(stateOption([...subscriberStates, 'all'], 'Those in this state, active by default'))
    .addOption(tool.choices(toolNames).conflicts('json'))
    .option('--all', 'With --for: also those who did not ask')
    .addOption(sinceOption())
    .addOption(untilOption)
    .addOption(jsonOption)
    .action((file: string | undefined, options: ExportOptions) => runExport(context, file, options))
}

async function runExport(context: CommandContext, file: string | undefined, options: ExportOptions) {
  const { state = 'active', since, until, for: tool, all = false, json = false } = options
  if (all && !tool) throw new UsageError('--all goes with --for; others are exported without it.')
  const isConsented = tool !== undefined && !all
  const filter: SubscriberFilter = { state: state === 'all' ? undefined : state, since, until, isConsented }
  await withDatabase(configOf(context), async ({ query }) => {
    const pages = exportSubscribers(query, filter, tool ?? (json ? 'json' : 'csv'))
    if (file === undefined) {
      for await (const { text } of pages) await context.write(text)
      return
    }
    const output = await open(file, 'wx', 0o600)
    // Counting takes time, so it is done only for the bar.
    const total = context.isTerminal ? (await countPeople(query, filter)).total : 0
    const progress = startProgress(context, 'subscribers', total)
    let count = 0
    try {
      await pipeline(async function* () {
        for await (const { text, rows } of pages) {
          yield text
          count += rows
          progress.add(rows)
        }
      }, output.createWriteStream())
    } catch (error) {
      rmSync(file) // a part of the list is no export
      throw error
    } finally {
      progress.end()
    }
    context.writeError(`${counted(count, 'subscriber')} written to ${file}\n`)
  })
  if (tool)
    context.writeError(
      `${toolFormats[tool].hint ?? ''}\nHow to import it: ${toolFormats[tool].guide}\n`.trimStart(),
    )
}
