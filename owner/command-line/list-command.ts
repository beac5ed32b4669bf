import type { Command } from 'commander'
import type { Reader } from '#server/database/database.ts'
import type { CommandContext } from './command-context.ts'
import {
  addCommand,
  jsonOption,
  type ListFilter,
  readPositiveInteger,
  sinceOption,
  stateOption,
  untilOption,
} from './options.ts'
import { type Cell, plainJson, recordTable } from './output.ts'
import { configOf, withDatabase } from './owned-database.ts'

interface Listed<Row, State extends string> {
  states: readonly State[]
  example: string
  /** The newest first. */
  select(reader: Reader, filter: ListFilter<NoInfer<State>>, limit: number): Promise<Row[]>
  asRecord(row: Row): Record<string, Cell>
}

/** Adds `list` to a group of commands that is named for its rows. */
export function addListCommand<Row, State extends string>(
  group: Command,
  context: CommandContext,
  { states, example, select, asRecord }: Listed<Row, State>,
): void {
  const what = group.name()
  addCommand(group, 'list', `Show the newest ${what}`, example)
    .addOption(stateOption(states, 'Only those in this state'))
    .addOption(sinceOption())
    .addOption(untilOption)
    .option('--limit <N>', 'How many at most', readPositiveInteger, 50)
    .addOption(jsonOption)
    .action(async (options: ListFilter<State> & { limit: number; json?: true }) => {
      const { limit, json } = options
      const found = await withDatabase(configOf(context), (database) =>
        // One row more than is shown reveals if there are more.
        select(database, options, limit + 1),
      )
      const rows = found.slice(0, limit)
      if (json) await context.write(plainJson(rows))
      else await context.write(rows.length > 0 ? recordTable(rows.map(asRecord)) : `No ${what}.\n`)
      if (found.length > limit) context.writeError(`There are more. Add --limit, or --since and --until.\n`)
    })
}
