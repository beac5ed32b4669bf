import type { Command } from 'commander'
import { levelOf, readStorm, type StormMode, type StormState, writeStorm } from '#server/sign-up/storm.ts'
import type { CommandContext } from '../../command-line/command-context.ts'
import { addExample, addJsonOption } from '../../command-line/options.ts'
import { plainJson } from '../../command-line/output.ts'
import { configOf, withDatabase } from '../../command-line/owned-database.ts'

const descriptions: Record<StormMode, string> = {
  on: 'Treat all sign-ups as in a storm: one mail a day for each inbox, solved challenges first',
  off: 'Treat no sign-ups as in a storm, whatever is seen',
  auto: 'Leave it to the server, which judges every minute',
}

export function addStormCommands(program: Command, context: CommandContext): void {
  const storm = program.command('storm').description('What the server does when sign-ups come in a storm')
  for (const mode of ['on', 'off', 'auto'] as const) {
    const command = storm.command(mode).description(descriptions[mode])
    addExample(addJsonOption(command), `storm ${mode}`)
    command.action((options: { json?: true }) => setMode(context, mode, options))
  }
  const status = storm.command('status').description('Show if there is a storm')
  addExample(addJsonOption(status), 'storm status')
  status.action((options: { json?: true }) => showState(context, options))
}

function setMode(context: CommandContext, mode: StormMode, { json }: { json?: true }): Promise<void> {
  return withDatabase(configOf(context), async ({ query }) => {
    await writeStorm(query, { mode })
    await context.write(inWords(await readStorm(query), json))
  })
}

function showState(context: CommandContext, { json }: { json?: true }): Promise<void> {
  return withDatabase(configOf(context), async ({ query }) =>
    context.write(inWords(await readStorm(query), json)),
  )
}

function inWords(state: StormState, json?: true): string {
  if (json) return plainJson({ ...state, level: levelOf(state) })
  const said = { on: 'A storm, by your word.', off: 'No storm, by your word.' }
  return state.mode === 'auto'
    ? `The server decides. It judges now: ${state.judged}.\n`
    : `${said[state.mode]} It holds at once and after a restart, until "storm auto".\n`
}
