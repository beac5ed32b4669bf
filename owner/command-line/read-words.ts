import { Misread } from './command.ts'

/** What an owner typed where a number from 1 on is wanted. */
export function wholeNumber(text: string, name: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new Misread(`${name} must be a whole number from 1 on, not "${text}".`)
  return Number(text)
}

/** What an owner typed where one of a few words is wanted. Undefined: nothing. */
export function oneOf<Choice extends string>(
  text: string | boolean | undefined,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (text === undefined) return undefined
  const choice = choices.find((one) => one === text)
  if (choice === undefined) throw new Misread(`${name} must be one of ${choices.join(', ')}, not "${text}".`)
  return choice
}

const dayMs = 24 * 60 * 60_000

/**
 * What an owner typed where a moment is wanted, `2026-11-21` or `2026-11-21T09:30Z`, in UTC. Of a day its beginning, or
 * its end. In ms since 1970; undefined: nothing.
 */
export function moment(
  text: string | boolean | undefined,
  name: string,
  ofDay: 'beginning' | 'end',
): number | undefined {
  if (text === undefined) return undefined
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/.exec(String(text)) ?? []
  const ms = Date.parse(`${day}${time ?? 'T00:00'}Z`)
  // JavaScript reads 30 February as a day in March.
  if (day === undefined || Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day)
    throw new Misread(
      `${name} must be a day like 2026-11-21 or a time like 2026-11-21T09:30Z, not "${text}".`,
    )
  return time === undefined && ofDay === 'end' ? ms + dayMs : ms
}
