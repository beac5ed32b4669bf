import { parseEmailAddress } from '#contract/email-address.ts'
import { type Config, readConfig } from '#server/config.ts'
import { type Command, jsonOption, Misread, type Request } from '../command-line/command.ts'
import { plainJson } from '../command-line/plain-text.ts'
import { askSite } from './ask-site.ts'
import { contentChecks } from './check-content.ts'
import { dataFileChecks } from './check-data-files.ts'
import { databaseChecks } from './check-database.ts'
import { dkimChecks } from './check-dkim.ts'
import { dmarcChecks } from './check-dmarc.ts'
import { kitChecks } from './check-kit.ts'
import { personalLinkChecks } from './check-personal-links.ts'
import { settingChecks } from './check-settings.ts'
import { siteChecks } from './check-site.ts'
import { smtpChecks } from './check-smtp.ts'
import { spfChecks } from './check-spf.ts'
import { type Check, type Finding, type Means, subject } from './finding.ts'
import { runCheck } from './run-check.ts'
import { testMailChecks } from './send-test-mail.ts'
import { showSection, showSummary } from './show-findings.ts'

export const doctor: Command = {
  name: 'doctor',
  takes: [],
  does: 'looks for what is wrong, and says why it matters and what to do',
  options: {
    'send-test': { value: 'ADDRESS', does: 'also sends the starter mail there, marked as a test' },
    json: jsonOption,
  },
  example: 'doctor --send-test you@example.com',
  exitCodes: '0 nothing is wrong, 1 something is wrong, 2 it was not understood',
  runAnyway: examine,
}

interface Section {
  name: string
  checks: Check[]
}

const sections: Section[] = [
  { name: 'Configuration', checks: settingChecks },
  { name: 'Content', checks: [...contentChecks, ...kitChecks] },
  { name: 'Database', checks: [...databaseChecks, ...dataFileChecks] },
  { name: 'Site', checks: siteChecks },
  { name: 'Links in the mail', checks: personalLinkChecks },
  { name: 'Mail server', checks: [...smtpChecks, ...testMailChecks] },
  { name: 'DNS', checks: [...spfChecks, ...dkimChecks, ...dmarcChecks] },
]

const complete = subject('configuration.complete', 'With a fault in it the server does not start.')

/** All checks at the same time, shown in order as they are done. */
async function examine(request: Request): Promise<number> {
  const { options, hasColours, write } = request
  const read = readConfig(request.environment)
  const sectionsDone =
    'faults' in read
      ? [{ name: 'Configuration', findings: Promise.resolve(read.faults.map(asFinding)) }]
      : startSections(meansFor(request, read.config))
  const all: Finding[] = []
  for (const { name, findings } of sectionsDone) {
    const found = await findings
    all.push(...found)
    if (!options['json']) await write(showSection(name, found, hasColours))
  }
  await write(options['json'] ? plainJson(all) : showSummary(all))
  return all.some(({ state }) => state === 'wrong') ? 1 : 0
}

function startSections(means: Means) {
  return sections.map(({ name, checks }) => ({
    name,
    findings: Promise.all(checks.map((check) => runCheck(check, means))).then((found) => found.flat()),
  }))
}

function meansFor({ environment, folder, now, resolveTxt, options }: Request, config: Config): Means {
  return {
    config,
    environment,
    folder,
    now,
    resolveTxt,
    testAddress: readTestAddress(options['send-test']),
    site: askSite(config.publicUrl),
  }
}

function asFinding(fault: string): Finding {
  return complete.wrong(
    `${fault}.`,
    'Correct it in the environment (.env.example explains each variable); the rest is looked at after that.',
  )
}

function readTestAddress(typed: string | boolean | undefined): string | undefined {
  if (typeof typed !== 'string') return undefined
  const address = parseEmailAddress(typed)
  if (!address) throw new Misread(`"${typed}" is no email address.`)
  return address.address
}
