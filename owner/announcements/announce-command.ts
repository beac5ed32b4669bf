import { type Command, Option } from 'commander'
import type { EmailAddress } from '#contract/email-address.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Config } from '#server/configuration/config.ts'
import type { Database } from '#server/database/database.ts'
import { openMailer } from '#server/transports/open-mailer.ts'
import {
  type CommandContext,
  CommandError,
  isConfirmed,
  UsageError,
} from '../command-line/command-context.ts'
import { addCommand, jsonOption, readAddress, readPositiveInteger } from '../command-line/options.ts'
import { countText, counted, plainJson, recordTable, textTable, timeText } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { previewMail, readAnnounceable, renderAnnouncement, sendTestMail } from './announcement-mail.ts'
import {
  type Announceable,
  type Audience,
  cancelAnnouncement,
  pauseAnnouncement,
  resumeAnnouncement,
  startAnnouncement,
} from './announcements.ts'
import { readLetterFile, renderLetter } from './letters.ts'
import { type AnnouncementPlan, planAnnouncement } from './plan.ts'
import { type AnnouncementProgress, readProgress } from './progress.ts'

interface AnnounceOptions {
  to?: Audience
  perHour?: number
  now?: true
  dryRun?: true
  test?: EmailAddress
  json?: true
}

/** What is announced, with the mail for an audience. */
type Announced = Announceable & { mailFor(to: Audience): StarterEmailTemplate }

const note = `
In the EU and the UK, mail like this needs consent: --to consented has it.
Elsewhere an address and a way out are often enough: both are in the mail.
--to everyone also mails people who asked for the kit only. Look up your law.\n`

export function addAnnounceCommands(program: Command, context: CommandContext): void {
  const description = 'Mail subscribers about the newest version of the kit'
  const announce = addCommand(program, 'announce', description, '1.2.0 --to consented --dry-run', note)
  announce.argument('<VERSION>', 'The newest entry of content/releases.ts')
  addOrderOptions(announce).action((version: string, options: AnnounceOptions) =>
    runAnnounce(context, options, (config) => readVersion(context, config, version)),
  )
  const letter = addCommand(announce, 'letter', 'Mail a letter', 'news.md --to consented --dry-run', note)
  letter.argument('<FILE>', 'Markdown that begins with the lines ---, subject: …, ---')
  // The options of a group are read before those of its commands.
  addOrderOptions(letter).action((file: string, _: object, command: Command) =>
    runAnnounce(context, command.optsWithGlobals(), (config) => readLetter(context, config, file)),
  )
  addCommand(announce, 'status', 'Show what has become of announcements', '1.2.0')
    .argument('[NAME]', 'A version or a letter')
    .addOption(jsonOption)
    .action((name: string | undefined, _: object, command: Command) =>
      withDatabase(configOf(context), (database) =>
        showStatus(context, database, name, command.optsWithGlobals()),
      ),
    )
  const add = (name: string, does: string, run: Change, done: string) =>
    addCommand(announce, name, does, '1.2.0')
      .argument('<NAME>', 'A version or a letter')
      .action((of: string) => change(context, of, run, done))
  add('pause', 'Send nothing more for now', pauseAnnouncement, 'paused')
  add('resume', 'Go on, with 100 in the first hour again', resumeAnnouncement, 'going on')
  const cancelling = 'Send nothing more. Once mail has gone out this is final'
  add('cancel', cancelling, cancelAnnouncement, 'cancelled for good')
}

type Change = (database: Database, name: string, now: number) => Promise<boolean>

function addOrderOptions(command: Command): Command {
  const audience = new Option('--to <AUDIENCE>', 'Who asked for it, or all but those who turned it off')
  const pace = 'Mails an hour. Without it 100 in the first hour, then twice as many each hour'
  return command
    .addOption(audience.choices(['consented', 'everyone']))
    .option('--per-hour <N>', pace, readPositiveInteger)
    .option('--now', 'Start at once. Without it there is a minute to take it back')
    .option('--dry-run', 'Show audience, time and mail; change nothing')
    .option('--test <ADDRESS>', 'Send the mail to this address only', readAddress)
    .addOption(jsonOption)
}

async function readVersion({ folder }: CommandContext, config: Config, version: string): Promise<Announced> {
  const newest = readAnnounceable(folder, config)
  if (!newest) throw new CommandError('content/releases.ts has no entry for the version of the kit.')
  const { announceable, template } = newest
  if (announceable.name !== version)
    throw new CommandError(`The kit has version ${announceable.name}, so that is the one to announce.`)
  return { ...announceable, mailFor: (to) => renderAnnouncement(template, to) }
}

async function readLetter({ folder }: CommandContext, config: Config, file: string): Promise<Announced> {
  const letter = await readLetterFile(file)
  return { name: letter.name, kind: 'letter', mailFor: (to) => renderLetter(folder, config, to, letter) }
}

async function runAnnounce(
  context: CommandContext,
  options: AnnounceOptions,
  read: (config: Config) => Promise<Announced>,
): Promise<void> {
  const { to, perHour, test, dryRun, now: isStartedNow = false } = options
  if (to === undefined)
    throw new UsageError('Say to whom: --to consented, or --to everyone. --help tells what the law asks.')
  const config = configOf(context)
  const announced = await read(config)
  const template = announced.mailFor(to)
  if (test !== undefined) return sendTest(context, config, template, test.address)
  await withDatabase(config, async (database) => {
    const now = context.now()
    const pace = { perHour: perHour ?? null, mostPerHour: null, siteMailsPerHour: config.siteMailsPerHour }
    const plan = await planAnnouncement(database, announced, { to, now, pace })
    if (dryRun) return showPlan(context, plan, template, options)
    const whom = counted(plan.audience, 'person', 'people')
    if (!(await isConfirmed(context, `Announce ${plan.name} to ${whom}?`)))
      throw new CommandError('Nothing was announced.')
    const order = { ...announced, to, template, perHour, isStartedNow }
    const outcome = await startAnnouncement(database, order, context.now())
    if (outcome === 'cancelled')
      throw new CommandError(`${plan.name} was cancelled; a cancelled announcement cannot go on.`)
    if (outcome === 'taken') throw new CommandError(`There is another announcement named ${plan.name}.`)
    await showStatus(context, database, plan.name, options)
  })
}

async function sendTest(
  context: CommandContext,
  config: Config,
  mail: StarterEmailTemplate,
  address: string,
): Promise<void> {
  const mailer = await openMailer(config)
  const to = { address, now: context.now() }
  const sending = await sendTestMail(mailer, mail, config, to).finally(() => mailer.close())
  if (sending.kind !== 'accepted') throw new CommandError(`The mail server did not take it: ${sending.why}`)
  await context.write(`Sent to ${address}. Its links lead to nobody's page.\n`)
}

async function showPlan(
  context: CommandContext,
  plan: AnnouncementPlan,
  template: StarterEmailTemplate,
  { json }: AnnounceOptions,
): Promise<void> {
  const { subject, text } = await previewMail(template)
  if (json) return context.write(plainJson({ ...plan, subject, text }))
  const { to, audience, people, hours } = plan
  const rows = Object.entries(people).map(([why, count]) => [`  ${inWords(why)}`, countText(count)])
  const head = [`Would be mailed (--to ${to})`, countText(audience)]
  const table = textTable([head, ['Takes, at least', counted(hours, 'hour')], ...rows], [], ['left', 'right'])
  await context.write(`${table}\nSubject: ${subject}\n\n${text.trimEnd()}\n`)
}

/** `neverAsked`: never asked. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Their sum is the recipients. */
const figures = ['sent', 'failed', 'waiting', 'held', 'cancelled', 'stillToCome'] as const

async function showStatus(
  context: CommandContext,
  database: Database,
  name: string | undefined,
  { json }: { json?: true },
): Promise<void> {
  const all = await readProgress(database, context.now(), name)
  if (name !== undefined && all.length === 0) throw new CommandError(`${name} was not announced.`)
  if (json) return context.write(plainJson(name === undefined ? all : all[0]))
  if (all.length === 0) return context.write('Nothing was announced.\n')
  await context.write(
    recordTable(all, ['name', 'to', 'state', 'recipients', ...figures]) + all.map(remarkOn).join(''),
  )
}

function remarkOn({ name, state, sent, startsAt, pausedWhy }: AnnouncementProgress): string {
  if (pausedWhy !== null) return `${name} has paused: ${pausedWhy}.\n`
  if (state !== 'starting') return ''
  const cancelling = sent > 0 ? 'ends it for good, also for those who have no mail yet' : 'takes it back'
  return `${name} starts at ${timeText(startsAt)} UTC. Until then "announce cancel ${name}" ${cancelling}.\n`
}

async function change(context: CommandContext, name: string, run: Change, done: string): Promise<void> {
  await withDatabase(configOf(context), async (database) => {
    const isDone = await run(database, name, context.now())
    const [now] = await readProgress(database, context.now(), name)
    if (!now) throw new CommandError(`${name} was not announced.`)
    if (!isDone) throw new CommandError(`${name} is ${now.state}.`)
    const isTakenBack = now.state === 'cancelled' && now.recipients === 0
    await context.write(isTakenBack ? `${name} is taken back. Nothing was sent.\n` : `${name} is ${done}.\n`)
  })
}
