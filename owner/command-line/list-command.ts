import type { Command } from 'commander'
import type { Reader } from '#server/database/database.ts'
import type { CommandContext } from './command-context.ts'
import { addCommand, addFilterOptions, jsonOption, type ListFilter, readPositiveInteger } from './options.ts'
import { plainJson, recordTable } from './output.ts'
import { configOf, withDatabase } from './owned-database.ts'

interface Listed<Row, State extends string> {
  states: readonly State[]
  example: string
  /** The newest first, with numbers `below` one that was shown. */
  select(reader: Reader, filter: ListFilter<NoInfer<State>>, limit: number, below?: number): Promise<Row[]>
  columns: readonly (keyof NoInfer<Row> & string)[]
}

/** Adds `list` to a group of commands that is named for its rows. */
export function addListCommand<Row extends { id: number }, State extends string>(
  group: Command,
  context: CommandContext,
  { states, example, select, columns }: Listed<Row, State>,
): void {
  const what = group.name()
  const command = addCommand(group, 'list', `Show the newest ${what}`, example)
  addFilterOptions(command, states, 'Only those in this state')
    .option('--limit <N>', 'How many at most', readPositiveInteger, 50)
    .option('--after <CURSOR>', 'The next page, as the end of the previous page says', readPositiveInteger)
    .addOption(jsonOption)
    .action(async (options: ListFilter<State> & { limit: number; after?: number; json?: true }) => {
      const { limit, after, json } = options
      const found = await withDatabase(configOf(context), (database) =>
        // One row more than is shown reveals if there is a next page.
        select(database, options, limit + 1, after),
      )
      const rows = found.slice(0, limit)
      if (json) await context.write(plainJson(rows))
      else await context.write(rows.length > 0 ? recordTable(rows, columns) : `No ${what}.\n`)
      if (found.length > limit) context.writeError(`There are more. Add --after ${rows.at(-1)!.id}\n`)
    })
}
