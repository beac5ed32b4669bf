import type { Command, Option } from './command.ts'
import { wrapped } from './wrapped.ts'

const door = 'npm run owner --'
const columns = 80

/** All of them, a line each. */
export function helpOfAll(commands: readonly Command[]): string {
  return [
    `${door} COMMAND, with the same environment as the server. Commands:`,
    '',
    ...aligned(commands.map(({ name, takes, does }) => [[name, ...takes].join(' '), does])),
    '',
    `${door} COMMAND --help tells all about one, also its options.`,
    '',
  ].join('\n')
}

/** One in full. */
export function helpOf(command: Command): string {
  const { does, options = {}, example, exitCodes } = command
  const described = Object.entries(options).map(([name, option]) => [withValue(name, option), option.does])
  return [
    `${door} ${usage(command)}`,
    '',
    ...wrapped(`${does.charAt(0).toUpperCase()}${does.slice(1)}.`, columns),
    '',
    'Options',
    ...aligned([...described, ['--help', 'shows this']]),
    '',
    'Example',
    `  ${door} ${example}`,
    '',
    'Exit code',
    `  ${exitCodes ?? '0 done, 1 it could not be done, 2 it was not understood'}`,
    '',
  ].join('\n')
}

export function usage({ name, takes, options = {} }: Command): string {
  const optional = Object.entries(options).map(([option, kind]) => `[${withValue(option, kind)}]`)
  return [name, ...takes, ...optional].join(' ')
}

function withValue(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

/** Two columns, the right one wrapped. */
function aligned(lines: readonly string[][]): string[] {
  const indent = Math.max(...lines.map(([left = '']) => left.length)) + 4
  return lines.flatMap(([left = '', right = '']) => {
    const [first = '', ...rest] = wrapped(right, columns - indent)
    return [`  ${left}`.padEnd(indent) + first, ...rest.map((line) => ' '.repeat(indent) + line)]
  })
}
