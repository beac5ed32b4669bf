import type { Command } from 'commander'
import { levelOf, readStorm, stormModes, type StormState, writeStorm } from '#server/sign-up/storm.ts'
import type { CommandContext } from '../../command-line/command-context.ts'
import { addCommand, jsonOption } from '../../command-line/options.ts'
import { plainJson } from '../../command-line/output.ts'
import { configOf, withDatabase } from '../../command-line/owned-database.ts'

const descriptions = {
  on: 'Treat all sign-ups as in a storm: one mail a day for each inbox, solved challenges first',
  off: 'Treat no sign-ups as in a storm, whatever is seen',
  auto: 'Leave it to the server, which judges every minute',
  status: 'Show if there is a storm',
}

export function addStormCommands(program: Command, context: CommandContext): void {
  const storm = program.command('storm').description('What the server does when sign-ups come in a storm')
  for (const [name, description] of Object.entries(descriptions))
    addCommand(storm, name, description, '')
      .addOption(jsonOption)
      .action(async ({ json }: { json?: true }) =>
        withDatabase(configOf(context), async ({ query }) => {
          const mode = stormModes.find((one) => one === name)
          if (mode) await writeStorm(query, { mode })
          const state = await readStorm(query)
          await context.write(json ? plainJson({ ...state, level: levelOf(state) }) : inWords(state))
        }),
      )
}

function inWords({ mode, judged }: StormState): string {
  if (mode === 'auto') return `The server decides. It judges now: ${judged}.\n`
  const said = { on: 'A storm, by your word.', off: 'No storm, by your word.' }
  return `${said[mode]} It holds at once and after a restart, until "storm auto".\n`
}
