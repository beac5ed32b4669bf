import { type Command, InvalidArgumentError, Option } from 'commander'
import { type EmailAddress, parseEmailAddress } from '#contract/email-address.ts'
import { ownerCommand } from '#server/project-files.ts'
import { parseMoment } from './parse-moment.ts'

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
