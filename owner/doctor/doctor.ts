import type { Command } from 'commander'
import { parseEmailAddress } from '#contract/email-address.ts'
import { readConfig } from '#server/configuration/config.ts'
import { type CommandContext, UsageError } from '../command-line/command-context.ts'
import { addExample, addJsonOption } from '../command-line/options.ts'
import { plainJson } from '../command-line/output.ts'
import { contentChecks } from './check-content.ts'
import { dataFileChecks } from './database/check-data-files.ts'
import { databaseChecks } from './database/check-database.ts'
import { kitChecks } from './check-kit.ts'
import { settingChecks } from './check-settings.ts'
import { dkimChecks } from './dns/check-dkim.ts'
import { dmarcChecks } from './dns/check-dmarc.ts'
import { spfChecks } from './dns/check-spf.ts'
import { type Check, type CheckContext, type Finding, subject } from './finding.ts'
import { mailApiChecks } from './mail/check-mail-api.ts'
import { portChecks } from './mail/check-ports.ts'
import { smtpChecks } from './mail/check-smtp.ts'
import { testMailChecks } from './mail/send-test-mail.ts'
import { runCheck } from './run-check.ts'
import { showSection, showSummary } from './show-findings.ts'
import { askSite } from './site/ask-site.ts'
import { personalLinkChecks } from './site/check-personal-links.ts'
import { siteChecks } from './site/check-site.ts'

interface DoctorOptions {
  sendTest?: string
  json?: true
}

/** `onWrong` is called once if something is wrong. */
export function addDoctorCommand(program: Command, context: CommandContext, onWrong: () => void): void {
  const command = program
    .command('doctor')
    .description('Find what is wrong, and say why it matters and what to do')
    .option('--send-test <ADDRESS>', 'Also send the starter mail there, marked as a test', readAddress)
  const exitCodes = '0 nothing is wrong, 1 something is wrong, 2 usage error'
  addExample(addJsonOption(command), 'doctor --send-test you@example.com', exitCodes)
  command.action(async (options: DoctorOptions) => {
    const findings = await examine(context, options)
    if (findings.some(({ state }) => state === 'wrong')) onWrong()
  })
}

const sections: { name: string; checks: Check[] }[] = [
  { name: 'Configuration', checks: settingChecks },
  { name: 'Content', checks: [...contentChecks, ...kitChecks] },
  { name: 'Database', checks: [...databaseChecks, ...dataFileChecks] },
  { name: 'Site', checks: siteChecks },
  { name: 'Links in the mail', checks: personalLinkChecks },
  { name: 'Mail server', checks: [...smtpChecks, ...portChecks, ...mailApiChecks, ...testMailChecks] },
  { name: 'DNS', checks: [...spfChecks, ...dkimChecks, ...dmarcChecks] },
]

const complete = subject('configuration.complete', 'The server does not start with an error in it.')

/** Shows the findings section by section. */
export async function examine(
  context: CommandContext,
  { sendTest, json }: DoctorOptions,
): Promise<Finding[]> {
  const { hasColors, write } = context
  const all = await runChecks(context, sendTest, async (name, found) => {
    if (!json) await write(showSection(name, found, hasColors))
  })
  await write(json ? plainJson(all) : showSummary(all))
  return all
}

/** Runs all checks concurrently, and hands out the sections in order as they finish. */
export async function runChecks(
  context: Pick<CommandContext, 'environment' | 'folder' | 'now' | 'resolveTxt'>,
  testAddress: string | undefined,
  onSection: (name: string, findings: Finding[]) => void | Promise<void>,
): Promise<Finding[]> {
  const { environment, folder, now, resolveTxt } = context
  const read = readConfig(environment)
  const running =
    'faults' in read
      ? [{ name: 'Configuration', findings: Promise.resolve(read.faults.map(asFinding)) }]
      : startSections({
          environment,
          folder,
          now,
          resolveTxt,
          config: read.config,
          testAddress,
          site: askSite(read.config.publicUrl),
        })
  const all: Finding[] = []
  for (const { name, findings } of running) {
    const found = await findings
    all.push(...found)
    await onSection(name, found)
  }
  return all
}

function startSections(context: CheckContext) {
  return sections.map(({ name, checks }) => ({
    name,
    findings: Promise.all(checks.map((check) => runCheck(check, context))).then((found) => found.flat()),
  }))
}

function asFinding(fault: string): Finding {
  return complete.wrong(
    `${fault}.`,
    'Correct it in the environment (.env.example explains each variable). The other checks run after that.',
  )
}

function readAddress(typed: string): string {
  const address = parseEmailAddress(typed)
  if (!address) throw new UsageError(`"${typed}" is not an email address.`)
  return address.address
}
