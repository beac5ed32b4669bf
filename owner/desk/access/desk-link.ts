import type { Command } from 'commander'
import { type CommandContext, CommandError } from '../../command-line/command-context.ts'
import { addCommand } from '../../command-line/options.ts'
import { configOf, withDatabase } from '../../command-line/owned-database.ts'
import { deskPath } from '#contract/desk-paths.ts'
import { keepSecret, newSecret } from './secrets.ts'

const linkMs = 5 * 60_000

/**
 * The secret of the link stands after the #, which no browser sends, so no server or proxy logs it.
 */
export function addDeskLinkCommand(program: Command, context: CommandContext): void {
  const description =
    'Print a link that opens the desk, for 5 minutes, for days when mail does not arrive'
  addCommand(program, 'desk-link', description, '').action(async () => {
    const config = configOf(context)
    if (config.ownerEmail === undefined) {
      throw new CommandError('There is no desk: set OWNER_EMAIL first.')
    }
    const secret = newSecret()
    const endsAt = context.now() + linkMs
    await withDatabase(context, ({ database }) =>
      keepSecret(database, secret, { kind: 'link', endsAt }),
    )
    context.writeError(
      'Open it in the browser that is to be signed in. It works once, within 5 minutes.\n',
    )
    await context.write(`${config.publicUrl}${deskPath}/link#${secret}\n`)
  })
}
