import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Command } from 'commander'
import { isRelease } from '#server/configuration/project-files.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import {
  CommandError,
  type CommandContext,
  isConfirmed,
  UsageError,
} from '../../command-line/command-context.ts'
import { addCommand } from '../../command-line/options.ts'
import { examine } from '../../doctor/doctor.ts'
import type { Finding } from '../../doctor/finding.ts'
import {
  faultIn,
  offerQuestions,
  type Question,
  questions,
  type SetupAnswers,
} from './questions.ts'
import { changeBrand, changeEnv, noOffer, readText, replaceFile } from './write-settings.ts'

const asTyped = (typed: string) => typed

export function addSetupCommand(program: Command, context: CommandContext): void {
  const description =
    'Ask what a launch needs, write content/brand.ts and .env, and check the result'
  const usual = '--name "My Bot" --public-url bot.example.com'
  const command = addCommand(program, 'setup', description, usual)
  for (const { flag, text, example, complete = asTyped } of questions) {
    command.option(`--${flag} <TEXT>`, `${text}, such as "${example}"`, (typed) =>
      complete(typed.trim()),
    )
  }
  command
    .option('--yes', 'Take suggested answers and overwrite without asking')
    .action(({ yes = false }: { yes?: boolean }) => {
      const given = command.options.map((one) => [
        one.name(),
        command.getOptionValue(one.attributeName()),
      ])
      return setUp(Object.fromEntries(given), yes, context)
    })
}

async function setUp(
  given: SetupAnswers,
  takesAll: boolean,
  context: CommandContext,
): Promise<void> {
  if (isRelease) {
    throw new CommandError(
      'The words of a release are built in. Run the set-up in the project, then npm run package.',
    )
  }
  const answers = await collectAnswers(given, takesAll, context)
  const { folder, environment: present, write } = context
  const [brandFile, offerFile] = [
    join(folder, 'content/brand.ts'),
    join(folder, 'content/offer.ts'),
  ]
  const envFile = join(folder, '.env')
  const offer = takesAll ? undefined : await askForOffer(readText(offerFile), context)
  // All are made before the first is written.
  const { name = '', creator: creatorName = '', 'postal-address': postalAddress = '' } = answers
  const brand = changeBrand(readText(brandFile), { name, creatorName, postalAddress })
  const environment = {
    ANON_KEY: present['ANON_KEY'] || newToken(),
    // The server speaks plain HTTP, so an https site has a proxy in front.
    TRUST_PROXY: present['TRUST_PROXY'] || (answers['public-url']?.startsWith('https:') ? '1' : ''),
    // An unanswered question empties its variable, which then counts as unset.
    ...Object.fromEntries(
      questions.flatMap(({ flag, variable }) =>
        variable ? [[variable, answers[flag] ?? '']] : [],
      ),
    ),
  }
  const envBefore = readText(envFile)
  const env = changeEnv(envBefore, environment)
  const question = 'There is a .env already. Change it? Its other lines stay.'
  if (envBefore !== '' && !takesAll && !(context.ask && (await isConfirmed(context, question)))) {
    throw new CommandError(
      'There is a .env already, and nothing was changed. Add --yes to change it.',
    )
  }
  replaceFile(brandFile, brand)
  replaceFile(envFile, env, 0o600)
  if (offer !== undefined) replaceFile(offerFile, offer)
  await write(
    'Wrote content/brand.ts and .env (only your account can read it). The doctor looks at the result:\n\n',
  )
  const launched = { ...present, ...environment, NODE_ENV: 'production' }
  const findings = await examine({ ...context, environment: launched })
  await write(nextSteps(findings, answers))
}

/** Asks in the terminal what no flag answers. Throws before anything is written. */
async function collectAnswers(
  given: SetupAnswers,
  takesSuggestions: boolean,
  { ask }: CommandContext,
) {
  const answers = { ...given }
  const faults = questions.flatMap((question) => {
    const answer = given[question.flag]
    const fault = answer === undefined ? undefined : faultIn(question, answer)
    return fault === undefined ? [] : [`--${question.flag}: ${fault}`]
  })
  const missing: string[] = []
  for (const question of questions) {
    const { flag, arises, suggest } = question
    if (arises?.(answers) === false) delete answers[flag]
    else if (answers[flag] !== undefined) continue
    else if (takesSuggestions && suggest) answers[flag] = suggest(answers)
    else if (ask && faults.length === 0) answers[flag] = await askUntilValid(question, answers, ask)
    else missing.push(`--${flag}`)
  }
  if (missing.length > 0 && !ask) {
    faults.push(`There is no terminal to ask in. Give these as well: ${missing.join(', ')}.`)
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  if (answers['mail-api'] === 'smtp') delete answers['mail-api'] // what no MAIL_API means
  return answers
}

type Ask = NonNullable<CommandContext['ask']>

async function askUntilValid(question: Question, answers: SetupAnswers, ask: Ask): Promise<string> {
  const { text: message, example, isSecret = false, suggest, complete = asTyped } = question
  const defaultValue = suggest?.(answers) ?? ''
  const validate = (typed = '') => faultIn(question, complete((typed || defaultValue).trim()))
  const placeholder = defaultValue || example
  const answer = await ask({ message, placeholder, defaultValue, validate, isSecret })
  if (answer === undefined) throw new CommandError('Stopped. Nothing was changed.')
  return complete(answer.trim())
}

/** Returns content/offer.ts with the offer. Undefined: there is none, or it has one already. */
async function askForOffer(source: string, { ask }: CommandContext): Promise<string | undefined> {
  if (!ask || !source.includes(noOffer)) return undefined
  const offer: Record<string, string> = {}
  for (const question of offerQuestions) {
    offer[question.flag] = await askUntilValid(question, {}, ask)
    if (offer['url'] === '') return undefined
  }
  return source.replace(noOffer, () => noOffer.replace(/undefined$/, '') + inspect(offer))
}

function nextSteps(findings: readonly Finding[], answers: SetupAnswers): string {
  const records = findings.flatMap(({ record }) => (record ? [record] : []))
  return [
    ...(records.length > 0 ? ['', 'Paste at the DNS provider of your domain:'] : []),
    ...records.map(({ name, type, value }) => `  ${name}  ${type}  ${value}`),
    '',
    'Next:',
    `  1. Point ${answers['public-url']} to the machine that will serve it (docs/operations.md).`,
    '  2. Run "npm run artwork", which draws the share image, the icons and the guide with your name.',
    '  3. Run the site there with this .env and NODE_ENV=production, which the unit and the templates set.',
    '  4. npm run owner -- doctor --send-test YOUR-ADDRESS',
    '',
  ].join('\n')
}
