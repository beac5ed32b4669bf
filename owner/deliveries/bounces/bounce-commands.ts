import type { Command } from 'commander'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { CommandContext } from '../../command-line/command-context.ts'
import { addCommand } from '../../command-line/options.ts'
import { counted } from '../../command-line/output.ts'
import { withDatabase } from '../../command-line/owned-database.ts'
import { readBounces } from './read-bounces.ts'
import { takeReport } from './take-report.ts'

export function addBounceCommands(program: Command, context: CommandContext): void {
  const bounces = program.command('bounces').description('Reports of mail that came back')
  const importing =
    'Mark the addresses in a list or CSV of bounces as undeliverable, and cancel their mail'
  addCommand(bounces, 'import', importing, 'data/bounces.csv')
    .argument('<FILE>')
    .action((file: string) =>
      withDatabase(context, async ({ database, config, now, recordEvent }) => {
        // Many reports name our own addresses, as the sender or as the recipient of the report.
        const ours = [config.mailFrom.address, config.supportEmail]
        const own = new Set(ours.map((one) => parseEmailAddress(one)?.identity))
        const reports = readBounces(file)
        const deps = { recordEvent, now }
        let marked = 0
        for (const report of reports) {
          if (!own.has(report.identity)) {
            marked += await database.transaction((transaction) =>
              takeReport(transaction, report, deps),
            )
          }
        }
        const addresses = counted(reports.length, 'address', 'addresses')
        await context.write(`${addresses} read, ${marked} marked as undeliverable or blocked.\n`)
        const left = reports.filter(({ kind }) => kind === 'temporary').length
        if (left > 0) {
          await context.write(
            `${left} left unchanged: the file does not call their bounce permanent.\n`,
          )
        }
      }),
    )
}
