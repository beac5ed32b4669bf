import type { Command } from 'commander'
import type { EmailAddress } from '#contract/email-address.ts'
import { readConfig } from '#server/configuration/config.ts'
import type { CommandContext } from '../command-line/command-context.ts'
import { explainError } from '../command-line/explain-error.ts'
import { addCommand, jsonOption, readAddress } from '../command-line/options.ts'
import { plainJson } from '../command-line/output.ts'
import { settingChecks } from './check-settings.ts'
import { checkDatabase, checkDiskSpace } from './database/check-database.ts'
import { checkDkim } from './dns/check-dkim.ts'
import { checkDmarc } from './dns/check-dmarc.ts'
import { checkSpf } from './dns/check-spf.ts'
import {
  type Check,
  type CheckContext,
  type Checks,
  type Finding,
  type FindingId,
  subject,
} from './finding.ts'
import { checkMailApi } from './mail/check-mail-api.ts'
import { checkSmtp } from './mail/check-smtp.ts'
import { checkTestMail } from './mail/send-test-mail.ts'
import { showFinding, showSummary } from './show-findings.ts'
import { checkSite } from './site/check-site.ts'

interface DoctorOptions {
  sendTest?: EmailAddress
  json?: true
}

/** `onWrong` is called once if something is wrong. */
export function addDoctorCommand(program: Command, context: CommandContext, onWrong: () => void): void {
  const description = 'Find what is wrong, and say why it matters and what to do'
  const note = '\nExit code: 0 nothing is wrong, 1 something is wrong\n'
  addCommand(program, 'doctor', description, '--send-test you@example.com', note)
    .option('--send-test <ADDRESS>', 'Also send the starter mail there, marked as a test', readAddress)
    .addOption(jsonOption)
    .action(async (options: DoctorOptions) => {
      const findings = await examine(context, options)
      if (findings.some(({ state }) => state === 'wrong')) onWrong()
    })
}

const checks: Checks = {
  ...settingChecks,
  'database.answers': checkDatabase,
  'database.disk': checkDiskSpace,
  'site.answers': checkSite,
  'mail.connects': (context, about) => (context.config.mailApi ? checkMailApi : checkSmtp)(context, about),
  'mail.test': checkTestMail,
  'dns.spf': checkSpf,
  'dns.dkim': checkDkim,
  'dns.dmarc': checkDmarc,
}

/** Shows the findings as they come. */
export async function examine(
  context: CommandContext,
  { sendTest, json }: DoctorOptions,
): Promise<Finding[]> {
  const all: Finding[] = []
  for await (const found of runChecks(context, sendTest?.address)) {
    all.push(...found)
    if (!json) await context.write(found.map(showFinding).join(''))
  }
  await context.write(json ? plainJson(all) : showSummary(all))
  return all
}

/** Runs all checks concurrently, and hands out their findings in order as they finish. */
export async function* runChecks(
  context: Omit<CheckContext, 'config' | 'testAddress'>,
  testAddress: string | undefined,
): AsyncGenerator<Finding[]> {
  const read = readConfig(context.environment)
  if ('faults' in read) {
    const advice =
      'Correct it in the environment (.env.example explains each variable). The other checks run after that.'
    yield read.faults.map((fault) => subject('configuration.complete').wrong(`${fault}.`, advice))
    return
  }
  const checking = { ...context, config: read.config, testAddress }
  const byId = Object.entries(checks) as [FindingId, Check][] // the keys of Checks
  yield* byId.map(([id, check]) => runCheck(id, check, checking))
}

/** Never throws: a check that fails is unknown. */
async function runCheck(id: FindingId, check: Check, context: CheckContext): Promise<Finding[]> {
  const about = subject(id)
  try {
    return [await check(context, about)].flat()
  } catch (error) {
    return [about.unknown(`This could not be checked. ${explainError(error)}`)]
  }
}
