import { type Command, InvalidArgumentError, Option } from 'commander'
import { type EmailAddress, parseEmailAddress } from '#contract/email-address.ts'
import { ownerCommand } from '#server/configuration/project-files.ts'
import { parseMoment } from './parse-moment.ts'

const dayMs = 24 * 60 * 60_000

/** Adds a command to a group. `example`: the words after its name in the example that ends its help. */
export function addCommand(
  group: Command,
  name: string,
  description: string,
  example: string,
  note = '',
): Command {
  const words = [ownerCommand, ...(group.parent ? [group.name()] : []), name, example].filter(Boolean)
  return group
    .command(name)
    .description(description)
    .addHelpText('after', `${note}\nExample:\n  ${words.join(' ')}`)
}

export const jsonOption = new Option('--json', 'Print JSON, for other programs')

/** `since`, `until`: ms since 1970; the end is left out. */
export interface ListFilter<State extends string> {
  state?: State | undefined
  since?: number | undefined
  until?: number | undefined
}

/** Adds the options of a ListFilter. */
export function addFilterOptions(command: Command, states: readonly string[], what: string): Command {
  const since = 'Only from this day or time on, in UTC: 2026-11-21, 2026-11-21T09:30Z'
  const until = 'Only up to the end of this day, or up to this time'
  return command
    .addOption(new Option('--state <STATE>', what).choices(states))
    .option('--since <DATE>', since, (text) => readMoment(text, 0))
    .option('--until <DATE>', until, (text) => readMoment(text, dayMs))
}

export function readPositiveInteger(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}

/** Reads a number, or one of these words. */
export function idOr<Word extends string>(...words: Word[]) {
  return (text: string): number | Word => words.find((word) => word === text) ?? readPositiveInteger(text)
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
  throw new InvalidArgumentError('It must be a day like 2026-11-21 or a time like 2026-11-21T09:30Z.')
}
