import { Refusal } from './command.ts'

/** What an owner typed where a number from 1 on is wanted. */
export function wholeNumber(text: string, name: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new Refusal(`${name} must be a whole number from 1 on, not "${text}".`)
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
  if (choice === undefined) throw new Refusal(`${name} must be one of ${choices.join(', ')}, not "${text}".`)
  return choice
}
