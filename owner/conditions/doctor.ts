import { styleText } from 'node:util'
import { type Command, Help } from 'commander'
import type { Content } from '#content/content.ts'
import type { EmailAddress } from '#contract/email-address.ts'
import { readConfig } from '#server/settings/config.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { addCommand, jsonOption, readAddress } from '#owner/acts/options.ts'
import { readStoredSite } from '#owner/acts/owned-database.ts'
import { counted, plainJson, plainText } from '#owner/acts/output.ts'
import { settingChecks } from './check-settings.ts'
import { checkDatabase, checkDiskSpace } from './check-database.ts'
import { checkDkim } from './dns/check-dkim.ts'
import { checkDmarc } from './dns/check-dmarc.ts'
import { checkSpf } from './dns/check-spf.ts'
import {
  type CheckContext,
  type Checks,
  type Finding,
  startChecks,
  type State,
  subject,
} from './finding.ts'
import { checkMailApi } from './check-mail-api.ts'
import { checkSmtp } from './check-smtp.ts'
import { checkTestMail } from './send-test-mail.ts'
import { checkSite } from './check-site.ts'
import { textsAboutOurs } from './unfinished-texts.ts'

/** `onWrong` is called once if something is wrong. */
export function addDoctorCommand(
  program: Command,
  context: CommandContext,
  onWrong: () => void,
): void {
  const description = 'Find what is wrong, and say why it matters and what to do'
  const note = '\nExit code: 0 nothing is wrong, 1 something is wrong\n'
  addCommand(program, 'doctor', description, '--send-test you@example.com', note)
    .option(
      '--send-test <ADDRESS>',
      'Also send the starter mail there, marked as a test',
      readAddress,
    )
    .addOption(jsonOption)
    .action(async ({ sendTest, json }: { sendTest?: EmailAddress; json?: true }) => {
      const findings = await examine(context, sendTest?.address, json)
      if (findings.some(({ state }) => state === 'wrong')) onWrong()
    })
}

const checks: Checks = {
  ...settingChecks,
  'database.answers': checkDatabase,
  'database.disk': checkDiskSpace,
  'site.answers': checkSite,
  'mail.connects': (context, about) =>
    context.config.mailApi ? checkMailApi(context, about) : checkSmtp(context, about),
  'mail.test': checkTestMail,
  'dns.spf': checkSpf,
  'dns.dkim': checkDkim,
  'dns.dmarc': checkDmarc,
}

/** Shows the findings as they come. */
export async function examine(
  context: CommandContext,
  testAddress?: string,
  json = false,
): Promise<Finding[]> {
  const all: Finding[] = []
  for await (const found of runChecks({ ...context, testAddress })) {
    all.push(...found)
    if (!json) await context.write(found.map(showFinding).join(''))
  }
  await context.write(json ? plainJson(all) : showSummary(all))
  return all
}

/** The checks need these beside what the database tells. */
interface CheckOrder extends Pick<
  CheckContext,
  'environment' | 'folder' | 'now' | 'renderer' | 'resolveTxt' | 'testAddress'
> {
  /** The site that a running server serves. By default it is read from the database. */
  content?: Content
}

/** Runs all checks concurrently, and hands out their findings in order as they finish. */
export async function* runChecks(order: CheckOrder): AsyncGenerator<Finding[]> {
  const read = readConfig(order.environment)
  if ('faults' in read) {
    const advice =
      'Correct it in the environment (.env.example explains each variable). The other checks run after that.'
    yield read.faults.map((fault) => subject('configuration.complete').wrong(`${fault}.`, advice))
    return
  }
  const { settings, content, published, failedVersion } = await readStoredSite(order)
  const { config, isHeldBack } = settings
  const aboutOurs = textsAboutOurs(published).map(({ path }) => path)
  yield* startChecks(checks, {
    content,
    ...order,
    config,
    aboutOurs,
    isHeldBack,
    failedVersion,
    ignoredSettings: settings.ignored,
  })
}

const columns = 80
const labels: Record<State, string> = { ok: 'ok', look: 'LOOK', wrong: 'WRONG', unknown: 'unknown' }
const colors = { ok: 'green', look: 'yellow', wrong: 'red', unknown: 'dim' } as const
const labelWidth = 9
const indent = ' '.repeat(labelWidth)

/** At most 80 columns wide. */
export function showFinding({ state, what, why, advice, record }: Finding): string {
  const label = styleText(colors[state], labels[state].padEnd(labelWidth))
  const parts = [wrap(what, indent)]
  if (state === 'look' || state === 'wrong') {
    parts.push(`${indent}Why  ${wrap(why, `${indent}     `)}`)
  }
  if (advice !== undefined) parts.push(`${indent}Do   ${wrap(advice, `${indent}     `)}`)
  // Not wrapped, so that it can be copied whole.
  for (const [name, value] of Object.entries(record ?? {})) {
    parts.push(`${indent}     ${`${name}:`.padEnd(7)}${plainText(value)}`)
  }
  return `${label}${parts.join('\n')}\n`
}

/** The number of findings of each state, the wrong ones first. */
export function showSummary(findings: readonly Finding[]): string {
  const count = (state: State) => findings.filter((one) => one.state === state).length
  const wrong = count('wrong')
  const verdict = `${wrong === 0 ? 'Nothing is' : counted(wrong, 'thing is', 'things are')} wrong`
  return `\n${verdict}. ${count('ok')} ok, ${count('look')} to look at, ${count('unknown')} unknown.\n`
}

/** Some texts, such as a relay's reply, have line breaks. */
function wrap(text: string, hanging: string): string {
  const oneLine = plainText(text.replaceAll(/[\r\n]+/g, ' '))
  return new Help().boxWrap(oneLine, columns - hanging.length).replaceAll('\n', `\n${hanging}`)
}
