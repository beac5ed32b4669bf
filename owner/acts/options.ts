import { type Command, InvalidArgumentError, Option } from 'commander'
import { type EmailAddress, parseEmailAddress } from '#contract/email-address.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Reader } from '#server/database/database.ts'
import { ownerCommand } from '#server/settings/project-files.ts'
import type { CommandContext, ListFilter } from './command-context.ts'
import { plainJson } from './output.ts'
import { withDatabase } from './owned-database.ts'
import { parseMoment } from './parse-moment.ts'
import { recordTable } from './tables.ts'

/**
 * Adds a command to a group. `example`: the words after its name in the example that ends its help.
 */
export function addCommand(
  group: Command,
  name: string,
  description: string,
  example: string,
  note = '',
) {
  const words = [ownerCommand, ...(group.parent ? [group.name()] : []), name, example].filter(
    Boolean,
  )
  return group
    .command(name)
    .description(description)
    .addHelpText('after', `${note}\nExample:\n  ${words.join(' ')}`)
}

export const jsonOption = new Option('--json', 'Print JSON, for other programs')

/** Adds the options of a ListFilter. */
export function addFilterOptions(
  command: Command,
  states: readonly string[],
  what: string,
): Command {
  const since = 'Only from this day or time on, in UTC: 2026-11-21, 2026-11-21T09:30Z'
  const until = 'Only up to the end of this day, or up to this time'
  return command
    .addOption(new Option('--state <STATE>', what).choices(states))
    .option('--since <DATE>', since, (text) => readMoment(text, 0))
    .option('--until <DATE>', until, (text) => readMoment(text, dayMs))
}

interface Listed<Row, State extends string> {
  states: readonly State[]
  example: string
  /** The newest first, with numbers `below` one that was shown. */
  select(
    reader: Reader,
    filter: ListFilter<NoInfer<State>>,
    limit: number,
    below: number,
  ): Promise<Row[]>
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
    .option(
      '--after <CURSOR>',
      'The next page, after the number that the previous page ends with',
      readPositiveInteger,
    )
    .addOption(jsonOption)
    .action(async (options: ListFilter<State> & { limit: number; after?: number; json?: true }) => {
      const { limit, after = Number.MAX_SAFE_INTEGER, json } = options
      const found = await withDatabase(context, ({ database }) =>
        // One row more than is shown reveals if there is a next page.
        select(database, options, limit + 1, after),
      )
      const rows = found.slice(0, limit)
      if (json) await context.write(plainJson(rows))
      else await context.write(rows.length > 0 ? recordTable(rows, columns) : `No ${what}.\n`)
      if (found.length > limit) {
        context.writeError(`There are more. Add --after ${rows.at(-1)!.id}\n`)
      }
    })
}

export function readPositiveInteger(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number of at least 1.')
  }
  return Number(text)
}

/** Reads a number, or one of these words. */
export function idOr<Word extends string>(...words: Word[]) {
  return (text: string): number | Word =>
    words.find((word) => word === text) ?? readPositiveInteger(text)
}

export function readAddress(text: string): EmailAddress {
  const address = parseEmailAddress(text)
  if (!address) throw new InvalidArgumentError('It is not an email address.')
  return address
}

/** A day or a time as ms since 1970. To a day `ofDayMs` is added. */
export function readMoment(text: string, ofDayMs: number): number {
  const moment = parseMoment(text)
  if (moment) return moment.ms + (moment.isDay ? ofDayMs : 0)
  throw new InvalidArgumentError(
    'It must be a day like 2026-11-21 or a time like 2026-11-21T09:30Z.',
  )
}
