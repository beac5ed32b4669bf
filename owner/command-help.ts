import type { Command, Option } from './command.ts'

const door = 'npm run owner --'

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
  const { does, takes, options = {}, example, exitCodes } = command
  const described = Object.entries(options).map(([name, option]) => [
    withValue(name, option),
    describe(name, option),
  ])
  return [
    `${door} ${usage(command)}`,
    '',
    `${does.charAt(0).toUpperCase()}${does.slice(1)}.`,
    '',
    'Options',
    ...aligned([...described, ['--help', 'shows this']]),
    '',
    'Example',
    `  ${door} ${example ?? [command.name, ...takes.filter((one) => !one.startsWith('['))].join(' ')}`,
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

export function takesValue(option: Option): boolean {
  return option !== 'boolean' && option.value !== undefined
}

function withValue(name: string, option: Option): string {
  return option !== 'boolean' && option.value !== undefined ? `--${name} ${option.value}` : `--${name}`
}

function describe(name: string, option: Option): string {
  if (option !== 'boolean' && option.does !== undefined) return option.does
  return name === 'json' ? 'prints JSON, for other programs' : ''
}

function aligned(lines: readonly string[][]): string[] {
  const width = Math.max(...lines.map(([left = '']) => left.length))
  return lines.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
}
