import type { Command } from 'commander'
import { keptDays } from '#server/start/maintenance.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { UsageError } from '#owner/acts/errors.ts'
import { addCommand, jsonOption, readPositiveInteger } from '#owner/acts/terminal/options.ts'
import { counted, countText, plainJson, plainText } from '#owner/acts/output.ts'
import { recordTable, textTable } from '#owner/acts/terminal/tables.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { subscriberStates } from '#owner/people/list-subscribers.ts'
import { subscriberStateWords } from '#owner/people/people-words.ts'
import { figuresOf, machinesOf } from './figures.ts'
import { readStatistics, type Statistics } from './statistics.ts'

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
        readStatistics(database.ownerReads, days, context.now()),
      )
      await context.write(json ? plainJson(statistics) : statisticsTable(statistics))
    })
}

/** Tables for a terminal of 80 columns. */
function statisticsTable(statistics: Statistics): string {
  const { days, period, madeAt, sources } = statistics
  const named = sources.slice(0, maxSources)
  const shownSources = recordTable(named, ['campaign', 'views', 'signUps', 'opened', 'gotScript'])
  const until = `Today is counted until ${madeAt.slice(11, 16)}.`
  return [
    `${counted(days, 'day')}, ${period.from} to ${period.to} (UTC). ${until}\n`,
    textTable(rowsOf(statistics), [], ['left', 'right', 'right', 'right', 'left']),
    ...(named.length > 0 ? ['\n', shownSources] : []),
    `\n${machinesOf(period)}\n`,
    'Pages that a CDN answers by itself are not among the views.\n',
    'A share is of the sign-ups in these days; of bounces, of the delivered mail.\n',
    'Shares above 100 % are left out: earlier subscribers also open and download.\n',
  ].join('')
}

function rowsOf(statistics: Statistics): string[][] {
  const { period, before, subscribers, deliveries, waitingSeconds, faultsOfLast7Days } = statistics
  const funnel = figuresOf(period, before).flatMap(({ heading, figures }) =>
    section(
      heading,
      figures.map((one) => [one.label, one.count, one.before, one.share ?? '']),
    ),
  )
  const faults = faultsOfLast7Days.map(({ fault, count, state }) => {
    return [fault ?? '', countText(count), '', '', state]
  })
  return [
    ['', 'count', 'before', 'share', ''],
    ...funnel,
    ...section('Subscribers now', totalsOf(subscribers)),
    ...section('Mail now', [
      ['waiting', countText(deliveries.waiting)],
      ['of letters, waiting', countText(deliveries.mailingsWaiting)],
      ['held', countText(deliveries.held)],
      ['seconds that mail has waited', countText(waitingSeconds)],
    ]),
    ...section('Errors of the last 7 days', faults),
  ]
}

/** Empty: there is nothing under the heading. */
function section(heading: string, rows: readonly string[][]): string[][] {
  if (rows.length === 0) return []
  return [
    [''],
    [heading],
    ...rows.map(([name = '', ...cells]) => [`  ${plainText(name)}`, ...cells]),
  ]
}

function totalsOf({ erased, ...states }: Statistics['subscribers']): string[][] {
  const rows = subscriberStates.map((state) => [
    subscriberStateWords[state],
    countText(states[state]),
  ])
  return [...rows, ['Erased', countText(erased)]]
}
