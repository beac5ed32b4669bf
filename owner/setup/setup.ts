import { join } from 'node:path'
import type { Command } from 'commander'
import { isRelease } from '#server/configuration/project-files.ts'
import { CommandError, type CommandContext, UsageError } from '../command-line/command-context.ts'
import { addExample } from '../command-line/options.ts'
import { examine } from '../doctor/doctor.ts'
import type { Finding } from '../doctor/finding.ts'
import { type Question, questions, type SetupAnswers, usesSmtp } from './questions.ts'
import { changeBrand, changeEnv, readIfExists, replaceFile } from './write-settings.ts'

type SetupOptions = Record<string, string | true | undefined>

export function addSetupCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('setup')
    .description('Ask what a launch needs, write content/brand.ts and .env, and check the result')
  for (const { flag, ask, example } of questions)
    command.option(`--${flag} <TEXT>`, `${ask}, such as "${example}"`)
  command.option('--yes', 'Take suggested answers and overwrite without asking')
  addExample(command, 'setup --name "My Bot" --public-url https://bot.example.com')
  command.action((options: SetupOptions) => setUp(options, context))
}

async function setUp(options: SetupOptions, context: CommandContext): Promise<void> {
  if (isRelease)
    throw new CommandError(
      'The words of a release are built in. Run the set-up in the project, then npm run package.',
    )
  const answers = await collectAnswers(options, context)
  const files = settingsFiles(answers, context.folder)
  await confirmOverwriting(options['yes'] === true, context)
  for (const { path, text, mode } of files) replaceFile(path, text, mode)
  await context.write(
    `Wrote ${files.map(({ name }) => name).join(' and ')}. The doctor looks at the result:\n\n`,
  )
  const environment = { ...context.environment, ...environmentOf(answers) }
  const findings = await examine({ ...context, environment }, {})
  await context.write(nextSteps(findings, answers))
}

/** Asks in the terminal what no flag answers. Throws before anything is written. */
async function collectAnswers(options: SetupOptions, { ask }: CommandContext): Promise<SetupAnswers> {
  const answers: SetupAnswers = {}
  for (const { flag } of questions) {
    const given = options[camelCase(flag)]
    if (typeof given === 'string') answers[flag] = given.trim()
  }
  const missing: string[] = []
  for (const question of questions) {
    const { flag, suggest, faultOf } = question
    const answer = answers[flag]
    if (answer !== undefined) {
      const fault = faultOf(answer, answers)
      if (fault !== undefined) throw new UsageError(`--${flag}: ${fault}`)
    } else if (question.arises?.(answers) ?? true) {
      if (options['yes'] === true && suggest) answers[flag] = suggest(answers)
      else if (ask) answers[flag] = await askUntilValid(question, answers, ask)
      else missing.push(`--${flag}`)
    }
  }
  if (missing.length > 0)
    throw new UsageError(`There is no terminal to ask in. Give these as well: ${missing.join(', ')}.`)
  return answers
}

async function askUntilValid(
  { ask: text, example, isSecret = false, suggest, faultOf }: Question,
  answers: SetupAnswers,
  ask: NonNullable<CommandContext['ask']>,
): Promise<string> {
  const suggestion = suggest?.(answers)
  const answer = await ask({
    text,
    example,
    isSecret,
    suggestion,
    faultOf: (typed) => faultOf(typed.trim(), answers),
  })
  if (answer === undefined) throw new CommandError('Stopped. Nothing was changed.')
  return answer.trim()
}

async function confirmOverwriting(isConfirmed: boolean, { ask, folder }: CommandContext): Promise<void> {
  if (isConfirmed || readIfExists(join(folder, '.env')) === '') return
  const answer = await ask?.({
    text: 'There is a .env already. Change it? Its other lines stay (yes or no)',
    example: 'yes',
    isSecret: false,
    suggestion: 'yes',
    faultOf: (typed) => (/^(?:yes|no)$/i.test(typed.trim()) ? undefined : 'Answer yes or no.'),
  })
  if (answer?.trim().toLowerCase() !== 'yes')
    throw new CommandError('There is a .env already, and nothing was changed. Add --yes to change it.')
}

/** The new contents of both files, made before the first is written. */
function settingsFiles(answers: SetupAnswers, folder: string) {
  const brandFile = join(folder, 'content/brand.ts')
  const envFile = join(folder, '.env')
  const brand = changeBrand(readIfExists(brandFile), {
    name: answers.name ?? '',
    creatorName: answers.creator ?? '',
    postalAddress: answers['postal-address'] ?? '',
  })
  const env = changeEnv(readIfExists(envFile), environmentOf(answers))
  return [
    { name: 'content/brand.ts', path: brandFile, text: brand, mode: undefined },
    { name: '.env (only your account can read it)', path: envFile, text: env, mode: 0o600 },
  ]
}

/** Empty: the variable counts as unset. */
function environmentOf(answers: SetupAnswers): Record<string, string> {
  const mail = usesSmtp(answers)
    ? { SMTP_URL: answers['smtp-url'] ?? '', MAIL_API: '', MAIL_API_KEY: '' }
    : { SMTP_URL: '', MAIL_API: answers['mail-api'] ?? '', MAIL_API_KEY: answers['mail-api-key'] ?? '' }
  return {
    NODE_ENV: 'production',
    PUBLIC_URL: answers['public-url'] ?? '',
    ...mail,
    MAIL_FROM: answers['mail-from'] ?? '',
    OWNER_EMAIL: answers['owner-email'] ?? '',
  }
}

function nextSteps(findings: readonly Finding[], answers: SetupAnswers): string {
  const records = findings.flatMap(({ record }) => (record ? [record] : []))
  return [
    ...(records.length > 0 ? ['', 'Paste at the DNS provider of your domain:'] : []),
    ...records.map(({ name, type, value }) => `  ${name}  ${type}  ${value}`),
    '',
    'Next:',
    `  1. Point ${answers['public-url']} to this machine (docs/operations.md).`,
    '  2. npm start',
    '  3. npm run owner -- doctor --send-test YOUR-ADDRESS',
    '',
  ].join('\n')
}

function camelCase(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase())
}
