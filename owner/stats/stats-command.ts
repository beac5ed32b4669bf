import type { Command } from 'commander'
import { keptDays } from '#server/maintenance.ts'
import { type CommandContext, UsageError } from '../command-line/command-context.ts'
import { addCommand, jsonOption, readPositiveInteger } from '../command-line/options.ts'
import {
  counted,
  countText,
  plainJson,
  plainText,
  recordTable,
  textTable,
} from '../command-line/output.ts'
import { withDatabase } from '../command-line/owned-database.ts'
import { figuresOf, machinesOf } from './figures.ts'
import { readStatistics } from './statistics.ts'

const maxSources = 10

export function addStatsCommand(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'stats',
    'Show the visitor funnel of the last days, and current totals',
    '--days 7',
  )
    .option('--days <N>', 'How many days to look back', readPositiveInteger, 28)
    .addOption(jsonOption)
    .action(async ({ days, json }: { days: number; json?: true }) => {
      if (days > keptDays) {
        throw new UsageError(`Counts are kept for ${keptDays} days: --days takes no more.`)
      }
      const statistics = await withDatabase(context, ({ database }) =>
        readStatistics(database, days, context.now()),
      )
      await context.write(json ? plainJson(statistics) : statisticsTable(statistics))
    })
}

/** Tables for a terminal of 80 columns. */
function statisticsTable(statistics: Awaited<ReturnType<typeof readStatistics>>): string {
  const { days, period, before, madeAt, sources, subscribers, deliveries, waitingSeconds } =
    statistics
  const rows: string[][] = [['', 'count', 'before', 'share', '']]
  const add = (title: string, ofSection: (readonly string[])[]) => {
    if (ofSection.length > 0) rows.push([''], [title])
    for (const [name = '', ...cells] of ofSection) rows.push([`  ${plainText(name)}`, ...cells])
  }
  for (const [heading, figures] of Object.entries(figuresOf(period, before))) add(heading, figures)
  const totals = (counts: Record<string, number>) =>
    Object.entries(counts).map(([name, count]) => [name, countText(count)])
  add('Subscribers now', totals(subscribers))
  add('Deliveries now', totals({ ...deliveries, 'seconds that mail has waited': waitingSeconds }))
  const faults = statistics.faultsOfLast7Days.map(({ fault, ...one }) => {
    return [fault ?? '', countText(one.count), '', '', one.state]
  })
  add('Errors of the last 7 days', faults)
  const named = sources.slice(0, maxSources)
  return [
    `${counted(days, 'day')}, ${period.from} to ${period.to} (UTC). Today is counted until ${madeAt.slice(11, 16)}.\n`,
    textTable(rows, [], ['left', 'right', 'right', 'right', 'left']),
    ...(named.length > 0
      ? ['\n', recordTable(named, ['campaign', 'views', 'signUps', 'opened', 'taken'])]
      : []),
    `\n${machinesOf(period)}\n`,
    'Pages that a CDN answers by itself are not among the views.\n',
    'A share is of the sign-ups in these days; of bounces, of the delivered mail.\n',
    'Shares above 100 % are left out: earlier subscribers also open and download.\n',
  ].join('')
}
