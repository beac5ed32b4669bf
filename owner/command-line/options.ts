import type { Command } from 'commander'
import { ownerCommand } from '#server/configuration/project-files.ts'
import { UsageError } from './command-context.ts'

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
  return command.option(
    '--since <DATE>',
    `${what} from this day or time on, in UTC: 2026-11-21, 2026-11-21T09:30Z`,
    (text: string) => readMoment(text, '--since', 'start'),
  )
}

export function addPeriodOptions(command: Command): Command {
  return addSinceOption(command).option(
    '--until <DATE>',
    'Only up to the end of this day, or up to this time',
    (text: string) => readMoment(text, '--until', 'end'),
  )
}

export function addStateOption(command: Command, states: readonly string[], what: string): Command {
  return command.option('--state <STATE>', `${what}: ${states.join(', ')}`, (text: string) =>
    readChoice(text, '--state', states),
  )
}

export function readPositiveInteger(text: string, name: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`${name} must be a whole number from 1 on, not "${text}".`)
  return Number(text)
}

export function readChoice(text: string, name: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text
  throw new UsageError(`${name} must be one of ${choices.join(', ')}, not "${text}".`)
}

const dayMs = 24 * 60 * 60_000

/** A day or a time, in UTC, as ms since 1970. A day stands for its start or its end. */
function readMoment(text: string, name: string, ofDay: 'start' | 'end'): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/.exec(text) ?? []
  const ms = Date.parse(`${day}${time ?? 'T00:00'}Z`)
  // JavaScript reads 30 February as a day in March.
  if (day === undefined || Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day)
    throw new UsageError(
      `${name} must be a day like 2026-11-21 or a time like 2026-11-21T09:30Z, not "${text}".`,
    )
  return time === undefined && ofDay === 'end' ? ms + dayMs : ms
}
