import type { Command } from 'commander'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { addCommand } from '#owner/acts/terminal/options.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { deskPath } from '#contract/desk-paths.ts'
import { makeLink } from './sign-in/secrets.ts'
import { readDeskOrigin } from './sign-in/start-link.ts'

/**
 * The secret of the link stands after the #, which no browser sends, so no server or proxy logs it.
 */
export function addDeskLinkCommand(program: Command, context: CommandContext): void {
  const description =
    'Print a link that opens the desk, valid for 5 minutes, for days when mail does not arrive'
  addCommand(program, 'desk-link', description, '').action(async () => {
    const link = await withDatabase(context, async ({ database, config }) => {
      if (config.ownerEmail === undefined) {
        throw new CommandError(
          'This site has no owner yet: open the link that the server prints when it starts.',
        )
      }
      const now = context.now()
      const secret = await makeLink(database, { now, provedAt: now })
      const isAddressSet = config.source['PUBLIC_URL'] !== undefined
      const printed = isAddressSet ? undefined : await readDeskOrigin(database)
      return `${printed ?? config.publicUrl}${deskPath}/link#${secret}`
    })
    context.writeError(
      'Open it in the browser that you want to sign in. It works once, within 5 minutes.\n',
    )
    await context.write(`${link}\n`)
  })
}
