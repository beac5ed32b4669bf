import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { readConfig } from '#server/config.ts'
import { backupCommands } from '../backup/backup.ts'
import { bounceCommands } from '../bounces/bounces.ts'
import { helpOf, helpOfAll, usage } from './command-help.ts'
import { type Command, Misread, type Outside, Refusal, type Request } from './command.ts'
import { deliveryCommands } from './deliveries.ts'
import { doctor } from '../doctor/doctor.ts'
import { explainFault } from './explain-fault.ts'
import { moveTo } from '../backup/move-to.ts'
import { statsCommands } from '../stats.ts'
import { subscriberCommands } from './subscribers.ts'

const commands: Command[] = [
  ...subscriberCommands,
  ...deliveryCommands,
  ...statsCommands,
  doctor,
  ...backupCommands,
  ...bounceCommands,
  moveTo,
]

/** Resolves to the exit code: 0 done, 1 it could not be done, 2 it was not understood. */
export async function runOwnerCommand(words: readonly string[], outside: Outside): Promise<number> {
  const plain = words.filter((word) => word !== '--help' && word !== '-h')
  if (plain.length < words.length || plain.length === 0) return help(plain, outside)
  if (plain[0] === 'help') return help(plain.slice(1), outside)
  const command = findCommand(words)
  if (!command) return unknownCommand(words, outside)
  const understood = understand(command, words)
  if ('misfit' in understood) {
    outside.writeAside(`${understood.misfit}\nUse it as: npm run owner -- ${usage(command)}\n`)
    return 2
  }
  try {
    return await perform(command, { ...outside, ...understood })
  } catch (fault) {
    outside.writeAside(`${explainFault(fault)}\n`)
    return fault instanceof Misread ? 2 : 1
  }
}

async function perform(command: Command, request: Request): Promise<number> {
  if ('runAnyway' in command) return command.runAnyway(request)
  const read = readConfig(request.environment)
  if ('faults' in read)
    throw new Refusal(
      ['The configuration has faults:', ...read.faults.map((fault) => `  - ${fault}`)].join('\n'),
    )
  await command.run({ ...request, config: read.config })
  return 0
}

function findCommand(words: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((part, place) => words[place] === part))
}

/** Of one command, of those that begin so, or of all. */
async function help(words: readonly string[], outside: Outside): Promise<number> {
  const command = findCommand(words)
  const alike = commands.filter(({ name }) => words[0] === undefined || name.split(' ')[0] === words[0])
  if (!command && alike.length === 0) return unknownCommand(words, outside)
  await outside.write(command ? helpOf(command) : helpOfAll(alike))
  return 0
}

function unknownCommand(words: readonly string[], outside: Outside): number {
  const asked = words.slice(0, 2).join(' ')
  outside.writeAside(`There is no command "${asked}". All commands: npm run owner -- help\n`)
  return 2
}

/** `misfit`: why the words after the command's name do not fit it. */
function understand({ name, takes, options = {} }: Command, words: readonly string[]) {
  const known: ParseArgsOptionsConfig = {}
  for (const [option, kind] of Object.entries(options))
    known[option] = { type: kind.value !== undefined ? 'string' : 'boolean' }
  try {
    const args = words.slice(name.split(' ').length)
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true })
    const missing = takes.filter((one) => !one.startsWith('['))[positionals.length]
    if (missing !== undefined) return { misfit: `${missing} is missing.` }
    if (positionals.length > takes.length) return { misfit: `"${positionals[takes.length]}" is too much.` }
    return { words: positionals, options: values as Record<string, string | boolean | undefined> } // none is multiple
  } catch (fault) {
    return { misfit: explainMisfit(name, fault) }
  }
}

function explainMisfit(command: string, fault: unknown): string {
  const { message = '', code = '' } = fault as { message?: string; code?: string } // parseArgs throws no other
  const [option = ''] = /--?[\w-]+/.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `${command} has no option ${option}.`
  return /does not take/.test(message) ? `${option} takes no value.` : `${option} needs a value.`
}
