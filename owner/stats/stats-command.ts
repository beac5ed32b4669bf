import type { Command } from 'commander'
import type { CommandContext } from '../command-line/command-context.ts'
import { addCommand, jsonOption, readPositiveInteger } from '../command-line/options.ts'
import { plainJson } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { readStatistics } from './statistics.ts'
import { statisticsTable } from './statistics-table.ts'

export function addStatsCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'stats', 'Show the visitor funnel of the last days, and current totals', '--days 7')
    .option('--days <N>', 'How many days to look back', readPositiveInteger, 28)
    .addOption(jsonOption)
    .action(async ({ days, json }: { days: number; json?: true }) => {
      const statistics = await withDatabase(configOf(context), (database) =>
        readStatistics(database, days, context.now()),
      )
      await context.write(json ? plainJson(statistics) : statisticsTable(statistics))
    })
}
