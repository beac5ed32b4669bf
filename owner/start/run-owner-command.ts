import { Command, CommanderError } from 'commander'
import { ownerCommand } from '#server/project-files.ts'
import { addMailingCommands } from '#owner/mailings/commands.ts'
import { addBackupCommand } from '../backup/backup.ts'
import { addRestoreCommand } from '../backup/restore.ts'
import { addContentCommands } from '#owner/site/content/content-commands.ts'
import { addDeskLinkCommand } from '#owner/access/desk-link.ts'
import { addDoctorCommand } from '#owner/conditions/doctor/doctor.ts'
import { addStatsCommand } from '#owner/reports/stats-command.ts'
import { addWebhookCommands } from '#owner/mail/webhooks/webhook-commands.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { explainError, UsageError } from '#owner/acts/errors.ts'
import { addDeliveryCommands } from '#owner/mail/commands.ts'
import { addSubscriberCommands } from '#owner/people/commands.ts'

/** Resolves to the exit code: 0 success, 1 failure, 2 usage error. */
export async function runOwnerCommand(
  words: readonly string[],
  context: CommandContext,
): Promise<number> {
  let exitCode = 0
  // Subcommands inherit these settings.
  const program = new Command(ownerCommand)
    .description('Commands for the owner. They use the same environment as the server.')
    .addHelpText('after', '\nExit code: 0 success, 1 failure, 2 usage error')
    .helpOption('-h, --help', 'Show this help')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => void context.write(text), writeErr: context.writeError })
    .showHelpAfterError('Add --help to see how it is used.')
  addSubscriberCommands(program, context)
  addDeliveryCommands(program, context)
  addStatsCommand(program, context)
  addDoctorCommand(program, context, () => (exitCode = 1))
  addMailingCommands(program, context)
  addBackupCommand(program, context)
  addRestoreCommand(program, context)
  addWebhookCommands(program, context)
  addContentCommands(program, context)
  addDeskLinkCommand(program, context)
  try {
    await program.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    context.writeError(`${explainError(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}
