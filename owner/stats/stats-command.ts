import { type Command, InvalidArgumentError } from 'commander'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import type { CommandContext } from '../command-line/command-context.ts'
import { addCommand, jsonOption, readPositiveInteger } from '../command-line/options.ts'
import { plainJson } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { makeStatistics, periodsOf, readCurrentState } from './statistics.ts'
import { statisticsTable } from './statistics-table.ts'

const maxDays = 366

export function addStatsCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'stats', 'Show the visitor funnel of the last days, and current totals', '--days 7')
    .option('--days <N>', 'How many days to look back', readDays, 28)
    .addOption(jsonOption)
    .action(async ({ days, json }: { days: number; json?: true }) => {
      const now = context.now()
      const statistics = await withDatabase(configOf(context), async (database) => {
        const counts = await readDailyCounts(database, periodsOf(days, now).before.from)
        return makeStatistics(counts, await readCurrentState(database, now), days, now)
      })
      await context.write(json ? plainJson(statistics) : statisticsTable(statistics))
    })
}

function readDays(text: string): number {
  const days = readPositiveInteger(text)
  if (days > maxDays) throw new InvalidArgumentError(`It must be at most ${maxDays}.`)
  return days
}
