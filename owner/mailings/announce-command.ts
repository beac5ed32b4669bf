import { type Command, Option } from 'commander'
import type { EmailAddress } from '#contract/email-address.ts'
import type { MailTemplate } from '#site/mail/compose-mail.ts'
import type { Config } from '#server/settings/config.ts'
import type { Database } from '#server/database/database.ts'
import { openMailer } from '#server/transports/open-mailer.ts'
import {
  type CommandContext,
  CommandError,
  isConfirmed,
  UsageError,
} from '#owner/acts/command-context.ts'
import {
  addCommand,
  jsonOption,
  readAddress,
  readMoment,
  readPositiveInteger,
} from '#owner/acts/options.ts'
import { countText, counted, plainJson, timeText } from '#owner/acts/output.ts'
import { recordTable, textTable } from '#owner/acts/tables.ts'
import { type OwnedDatabase, withDatabase } from '#owner/acts/owned-database.ts'
import {
  cancelledSentence,
  type Change,
  changeAnnouncement,
  sendTest,
  startAnnouncement,
} from './announce.ts'
import { announcementStateWords, shownState } from './announcement-words.ts'
import { composeAnnouncement, type Draft, newestRelease, previewMail } from './announcement-mail.ts'
import type { Announceable, AnnouncementOrder, Audience } from './announcements.ts'
import { readLetterFile } from './letters/letter-file.ts'
import { addPicture, picturePath } from './letters/pictures.ts'
import { type Plan, planAnnouncement } from './plan.ts'
import { type AnnouncementProgress, readProgress } from './progress.ts'
import { durationInWords, hoursFor } from './pace/slow-start.ts'
import { readServedMails, type ServedMails } from './served-mails.ts'

interface AnnounceOptions {
  to?: Audience
  campaign?: string[]
  perHour?: number
  atMost?: number
  at?: number
  now?: true
  dryRun?: true
  test?: EmailAddress
  json?: true
}

const note = `
In the EU and the UK, mail like this needs consent. --to consented mails only people who gave it.
Elsewhere your postal address and a way to unsubscribe are often enough: the mail has both.
--to everyone also mails people who asked only for the kit. Check the law that applies to you.\n`

export function addAnnounceCommands(program: Command, context: CommandContext): void {
  const description = 'Mail subscribers about the newest version of the kit'
  const announce = addCommand(
    program,
    'announce',
    description,
    'VERSION --to consented --dry-run',
    note,
  )
  announce.argument('<VERSION>', 'The newest entry of content/releases.ts')
  addOrder(announce, context, async (version, { served }) => readVersion(served, version))
  const letter = addCommand(
    announce,
    'letter',
    'Mail a letter',
    'news.md --to consented --dry-run',
    note,
  )
  letter.argument('<FILE>', 'Markdown that begins with the lines ---, subject: …, ---')
  addOrder(letter, context, (file, { database, now, isDryRun }) =>
    readLetterFile(file, (bytes) =>
      isDryRun ? picturePath(bytes) : addPicture(database, bytes, now()),
    ),
  )
  addStatusCommand(announce, context)
  addChangeCommands(announce, context)
}

function addStatusCommand(announce: Command, context: CommandContext): void {
  addCommand(announce, 'status', 'Show how far announcements have got', 'VERSION')
    .argument('[NAME]', 'A version or a letter')
    .addOption(jsonOption)
    .action((name: string | undefined, _: object, command: Command) =>
      withDatabase(context, ({ database }) =>
        showStatus(context, database, name, command.optsWithGlobals()),
      ),
    )
}

function addChangeCommands(announce: Command, context: CommandContext): void {
  const add = (change: Change, does: string) =>
    addCommand(announce, change, does, 'VERSION')
      .argument('<NAME>', 'A version or a letter')
      .action((name: string) =>
        withDatabase(context, async ({ database, now }) => {
          await changeAnnouncement(database, name, change, now())
          const [changed] = await readProgress(database, now(), name)
          const what = changed ? inWords(changed) : 'was taken back. Nothing was sent'
          await context.write(`${name} ${what}.\n`)
        }),
      )
  add('pause', 'Send nothing more for now')
  add('resume', 'Continue after a pause, or finish what was cancelled')
  add('cancel', 'Send nothing more. Before the first mail, this takes it back')
}

interface ReadDeps extends Pick<OwnedDatabase, 'database' | 'now'> {
  served: ServedMails
  /** Nothing may be kept. */
  isDryRun: boolean
}

/** Reads what is announced from the argument of the command. */
type Read = (argument: string, deps: ReadDeps) => Promise<Announceable & Draft>

function addOrder(command: Command, context: CommandContext, read: Read): void {
  const audience = new Option(
    '--to <AUDIENCE>',
    'Who asked for it, or all but those who turned it off',
  )
  const pace =
    'Mails an hour, instead of the slow start (100 in the first hour, doubled every hour)'
  const campaign =
    'Only people from this campaign; "none" for people without one. Repeat it for several'
  command
    .addOption(audience.choices(['consented', 'everyone']))
    .option('--campaign <NAME>', campaign, collect)
    .option('--per-hour <N>', pace, readPositiveInteger)
    .option(
      '--at-most <N>',
      'The most mails an hour that the slow start reaches',
      readPositiveInteger,
    )
    .option(
      '--at <TIME>',
      'Start at this time: 2026-11-21T09:30Z. UTC unless it names a zone',
      (text) => readMoment(text, 0),
    )
    .option('--now', 'Start at once. Without it, you have a minute to take it back')
    .option('--dry-run', 'Show audience, time and mail; change nothing')
    .option('--test <ADDRESS>', 'Send the mail to this address only', readAddress)
    .addOption(jsonOption)
    // The options of a group are read before those of its commands.
    .action((argument: string, _: object, used: Command) =>
      runAnnounce(context, used.optsWithGlobals(), (deps) => read(argument, deps)),
    )
}

function collect(name: string, before: string[] | undefined): string[] {
  return [...(before ?? []), name]
}

function readVersion({ releases }: ServedMails, version: string): Announceable & Draft {
  const newest = newestRelease(releases)
  if (!newest) {
    throw new CommandError('content/releases.ts has no entry for the version of the kit.')
  }
  if (newest.name !== version) {
    throw new CommandError(`The kit has version ${newest.name}, so that is the one to announce.`)
  }
  return { ...newest, subject: '', text: '' }
}

async function runAnnounce(
  context: CommandContext,
  options: AnnounceOptions,
  read: (deps: ReadDeps) => Promise<Announceable & Draft>,
): Promise<void> {
  const { to, test } = options
  if (to === undefined) {
    throw new UsageError(
      'Say to whom: --to consented, or --to everyone. --help says what the law requires.',
    )
  }
  if (options.now && options.at !== undefined) throw new UsageError('Give --at or --now.')
  await withDatabase(context, async (owned) => {
    const { database, config, now } = owned
    const served = await readServedMails(context, database)
    const isDryRun = options.dryRun === true && test === undefined
    const announced = await read({ database, now, served, isDryRun })
    const template = composeAnnouncement(served, to, announced)
    if (test !== undefined) return testAnnouncement(context, owned, template, test.address)
    return placeOrder(context, { ...options, to }, { database, config, announced, template })
  })
}

async function testAnnouncement(
  context: CommandContext,
  { database, config, now }: OwnedDatabase,
  template: MailTemplate,
  address: string,
): Promise<void> {
  const mailer = await openMailer(config)
  const deps = { database, mailer, config, now }
  const isOnList = await sendTest(deps, template, address).finally(() => mailer.close())
  const links = isOnList
    ? ''
    : ' The links below it lead to the home page: nobody on the list has this address.'
  await context.write(`Sent to ${address}.${links}\n`)
}

interface OrderOptions extends AnnounceOptions {
  to: Audience
}

interface Announcing {
  database: Database
  config: Config
  announced: Announceable & Draft
  template: MailTemplate
}

async function placeOrder(
  context: CommandContext,
  options: OrderOptions,
  { database, config, announced, template }: Announcing,
): Promise<void> {
  const order = orderOf(announced, template, options)
  const { name, kind, to, perHour, mostPerHour } = order
  const plan = await planAnnouncement(database, order, { to, now: context.now() })
  const { audience } = plan
  const [before] = await readProgress(database, context.now(), name)
  if (before?.state === 'cancelled') throw new CommandError(cancelledSentence(name))
  if (options.dryRun) {
    const { subject, text } = await previewMail(template, config)
    const hours = hoursFor(audience, { ...config, perHour, mostPerHour })
    return showPlan(context, options, { name, kind, ...plan, hours, subject, text })
  }
  const people = counted(audience, 'person', 'people')
  if (!(await isConfirmed(context, `Announce ${name} to ${people}?`))) {
    throw new CommandError('Nothing was announced.')
  }
  await startAnnouncement(database, order, context.now())
  await showStatus(context, database, name, options)
}

function orderOf(
  { name, kind, signedUpBefore, text: words, preview }: Announceable & Draft,
  template: MailTemplate,
  options: OrderOptions,
): AnnouncementOrder {
  return {
    name,
    kind,
    signedUpBefore,
    to: options.to,
    campaigns: options.campaign,
    template,
    words,
    preview,
    perHour: options.perHour,
    mostPerHour: options.atMost,
    sendAt: options.at,
    isStartedNow: options.now ?? false,
  }
}

/** A mail to many as a dry run shows it. */
interface ShownPlan extends Plan {
  name: string
  kind: Announceable['kind']
  hours: number
  subject: string
  text: string
}

function showPlan(context: CommandContext, { json }: AnnounceOptions, shown: ShownPlan) {
  return context.write(json ? plainJson(shown) : planText(shown))
}

function planText({ to, audience, people, hours, subject, text }: ShownPlan): string {
  const rows = Object.entries(people).map(([why, count]) => [
    `  ${separateWords(why)}`,
    countText(count),
  ])
  const head = [`Would be mailed (--to ${to})`, countText(audience)]
  const table = textTable(
    [head, ['Takes, at least', durationInWords(hours)], ...rows],
    [],
    ['left', 'right'],
  )
  return `${table}\nSubject: ${subject}\n\n${text.trimEnd()}\n`
}

/** `neverAsked`: never asked. */
function separateWords(name: string): string {
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
    recordTable(all, ['name', 'to', 'state', 'recipients', ...figures]) +
      all.map(remarkOn).join(''),
  )
}

function inWords(announcement: AnnouncementProgress): string {
  return announcementStateWords[shownState(announcement)]
}

function remarkOn(announcement: AnnouncementProgress): string {
  const { name, state, sent, startsAt, pausedWhy } = announcement
  if (state === 'paused' && pausedWhy !== null) {
    return `${name} ${inWords(announcement)}: ${pausedWhy}.\n`
  }
  if (state !== 'starting') return ''
  const cancelling = sent > 0 ? 'ends it, also for people who have not had it yet' : 'takes it back'
  return `${name} starts at ${timeText(startsAt)} UTC. Until then "announce cancel ${name}" ${cancelling}.\n`
}
