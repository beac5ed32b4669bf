import { type Command, InvalidArgumentError, Option } from 'commander'
import { type EmailAddress, parseEmailAddress } from '#contract/email-address.ts'
import { ownerCommand } from '#server/configuration/project-files.ts'

/** Ends the help of a command. */
export function addExample(
  command: Command,
  example: string,
  exitCodes = '0 success, 1 failure, 2 usage error',
): Command {
  return command.addHelpText('after', `\nExample:\n  ${ownerCommand} ${example}\n\nExit code: ${exitCodes}`)
}

export function addJsonOption(command: Command): Command {
  return command.option('--json', 'Print JSON, for other programs')
}

export interface PeriodOptions {
  since?: number
  until?: number
}

export function addSinceOption(command: Command, what = 'Only'): Command {
  const description = `${what} from this day or time on, in UTC: 2026-11-21, 2026-11-21T09:30Z`
  return command.option('--since <DATE>', description, (text: string) => readMoment(text, 0))
}

export function addPeriodOptions(command: Command): Command {
  const description = 'Only up to the end of this day, or up to this time'
  return addSinceOption(command).option('--until <DATE>', description, (text: string) =>
    readMoment(text, dayMs),
  )
}

export function addStateOption(command: Command, states: readonly string[], what: string): Command {
  return command.addOption(new Option('--state <STATE>', what).choices(states))
}

export function readPositiveInteger(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}

/** For the argument `<ID|failed>`. */
export function readIdOrFailed(text: string): number | 'failed' {
  return text === 'failed' ? text : readPositiveInteger(text)
}

export function readAddress(text: string): EmailAddress {
  const address = parseEmailAddress(text)
  if (!address) throw new InvalidArgumentError('It is not an email address.')
  return address
}

const dayMs = 24 * 60 * 60_000

/** A day or a time, in UTC, as ms since 1970. To a day `ofDayMs` is added. */
function readMoment(text: string, ofDayMs: number): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/.exec(text) ?? []
  const ms = Date.parse(`${day}${time ?? 'T00:00'}Z`)
  // JavaScript reads 30 February as a day in March.
  if (day === undefined || Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day)
    throw new InvalidArgumentError('It must be a day like 2026-11-21 or a time like 2026-11-21T09:30Z.')
  return time === undefined ? ms + ofDayMs : ms
}
