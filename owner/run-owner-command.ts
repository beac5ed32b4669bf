import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { readConfig } from '#server/config.ts'
import { backupCommands } from './backup.ts'
import { bounceCommands } from './bounces.ts'
import type { Command, Outside } from './command.ts'
import { deliveryCommands } from './deliveries.ts'
import { doctor } from './doctor.ts'
import { explainFault } from './explain-fault.ts'
import { moveTo } from './move-to.ts'
import { statsCommands } from './stats.ts'
import { subscriberCommands } from './subscribers.ts'

const commands: Command[] = [
  ...subscriberCommands,
  ...deliveryCommands,
  ...statsCommands,
  ...backupCommands,
  ...bounceCommands,
  moveTo,
]

/** Resolves to the exit code: 0 done, 1 it could not be done, 2 it was not understood. */
export async function runOwnerCommand(words: readonly string[], outside: Outside): Promise<number> {
  if (words.length === 0 || ['help', '--help', '-h'].includes(words[0]!)) {
    await outside.write(help())
    return 0
  }
  // The doctor reads the configuration by itself: its faults are what it is asked for.
  if (words[0] === 'doctor') return words.length === 1 ? doctor(outside) : misunderstood(outside, words)
  const command = findCommand(words)
  const understood = command && understand(command, words)
  if (!command || !understood) return misunderstood(outside, words, command)
  const read = readConfig(outside.environment)
  if ('faults' in read) {
    outside.writeAside(
      ['The configuration has faults:', ...read.faults.map((fault) => `  - ${fault}`), ''].join('\n'),
    )
    return 1
  }
  try {
    await command.run({ ...outside, ...understood, config: read.config })
    return 0
  } catch (fault) {
    outside.writeAside(`${explainFault(fault)}\n`)
    return 1
  }
}

function findCommand(words: readonly string[]): Command | undefined {
  return commands.find(({ name }) => {
    const parts = name.split(' ')
    return parts.every((part, index) => words[index] === part)
  })
}

/** Undefined: the words after the command's name do not fit it. */
function understand({ name, takes, options = {} }: Command, words: readonly string[]) {
  const known: ParseArgsOptionsConfig = {}
  for (const [option, kind] of Object.entries(options))
    known[option] = { type: kind === 'boolean' ? 'boolean' : 'string' }
  try {
    const args = words.slice(name.split(' ').length)
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true })
    const least = takes.filter((one) => !one.startsWith('[')).length
    if (positionals.length < least || positionals.length > takes.length) return undefined
    return { words: positionals, options: values as Record<string, string | boolean | undefined> } // none is multiple
  } catch {
    return undefined
  }
}

function misunderstood(outside: Outside, words: readonly string[], command?: Command): number {
  const asked = words.slice(0, 2).join(' ')
  outside.writeAside(
    command
      ? `Use it as: npm run owner -- ${usage(command)}\n`
      : `There is no command "${asked}". All commands: npm run owner -- help\n`,
  )
  return 2
}

function usage({ name, takes, options = {} }: Command): string {
  const optional = Object.entries(options).map(([option, kind]) =>
    kind === 'boolean' ? `[--${option}]` : `[--${option} ${kind.value}]`,
  )
  return [name, ...takes, ...optional].join(' ')
}

function help(): string {
  const lines = [
    ...commands.map((command) => [usage(command), command.does]),
    ['doctor', 'looks for what is wrong'],
  ]
  const width = Math.max(...lines.map(([use = '']) => use.length))
  return [
    'npm run owner -- COMMAND, with the same environment as the server. Commands:',
    '',
    ...lines.map(([use = '', does = '']) => `  ${use.padEnd(width)}  ${does}`),
    '',
  ].join('\n')
}
