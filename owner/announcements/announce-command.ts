import { type Command, Option } from 'commander'
import type { EmailAddress } from '#contract/email-address.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Config } from '#server/configuration/config.ts'
import type { Connection } from '#server/database/database.ts'
import { openMailer } from '#server/transports/open-mailer.ts'
import { type CommandContext, CommandError, UsageError } from '../command-line/command-context.ts'
import {
  addCommand,
  jsonOption,
  readAddress,
  readPositiveInteger,
  sinceOption,
} from '../command-line/options.ts'
import { countText, counted, plainJson, recordTable, textTable } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { startProgress } from '../command-line/progress-bar.ts'
import { previewText, readAnnounceable, renderAnnouncement, sendTestMail } from './announcement-mail.ts'
import {
  type Audience,
  cancelAnnouncement,
  pauseAnnouncement,
  readAnnouncement,
  readAnnouncements,
  resumeAnnouncement,
  startAnnouncement,
} from './announcements.ts'
import { type AnnouncementPlan, planAnnouncement, findLossyRestore } from './plan-announcement.ts'
import { queueRecipients } from './queue-recipients.ts'

interface AnnounceOptions {
  to?: Audience
  since?: number
  perHour?: number
  dryRun?: true
  test?: EmailAddress
  afterRestore?: true
  json?: true
}

const note = `
In the EU and the UK, mail like this needs consent: --to consented has it.
Elsewhere an address and a way out are often enough: both are in the mail.
--to everyone also mails who asked for the kit only. Look up what binds you.\n`

export function addAnnounceCommands(program: Command, context: CommandContext): void {
  const audience = new Option('--to <AUDIENCE>', 'Who asked for it, or all but those who turned it off')
  const description = 'Mail subscribers about the newest version of the kit'
  const announce = addCommand(program, 'announce', description, '1.2.0 --to consented --dry-run', { note })
    .argument('<VERSION>', 'The newest entry of content/releases.ts')
    .addOption(audience.choices(['consented', 'everyone']))
    .addOption(sinceOption('Only who signed up'))
    .option(
      '--per-hour <N>',
      'Mails an hour. Without it 100 in the first hour, then twice as many each hour',
      readPositiveInteger,
    )
    .option('--dry-run', 'Show audience, time and mail; change nothing')
    .option('--test <ADDRESS>', 'Send the mail to this address only', readAddress)
    .option('--after-restore', 'Also if it may have been announced before the database was restored')
    .addOption(jsonOption)
    .action((version: string, options: AnnounceOptions) => runAnnounce(context, version, options))

  addCommand(announce, 'status', 'Show what has become of announcements', '1.2.0')
    .argument('[VERSION]')
    .addOption(jsonOption)
    .action((version: string | undefined, _: object, command: Command) =>
      showStatus(context, version, command.optsWithGlobals()),
    )
  for (const [name, one] of Object.entries(changes))
    addCommand(announce, name, one.description, '1.2.0')
      .argument('<VERSION>')
      .action((version: string) => change(context, version, one))
}

const changes = {
  pause: {
    description: 'Send nothing more for now',
    run: pauseAnnouncement,
    done: 'paused; what a server has in hand still goes',
  },
  resume: {
    description: 'Go on, after an automatic pause slowly',
    run: resumeAnnouncement,
    done: 'going on',
  },
  cancel: { description: 'Send nothing more, for good', run: cancelAnnouncement, done: 'cancelled' },
}

async function runAnnounce(
  context: CommandContext,
  version: string,
  options: AnnounceOptions,
): Promise<void> {
  const { to, since: signedUpFrom, perHour, test, dryRun } = options
  if (to === undefined)
    throw new UsageError('Say to whom: --to consented, or --to everyone. --help tells what the law asks.')
  const config = configOf(context)
  const newest = await readAnnounceable(context.folder, config)
  if (!newest) throw new CommandError('content/releases.ts has no entry for the version of the kit.')
  const { release } = newest
  if (release.version !== version)
    throw new CommandError(`The kit has version ${release.version}, so that is the one to announce.`)
  const template = renderAnnouncement(newest.template, to)
  await withDatabase(config, async (database) => {
    if (test !== undefined) return sendTest(context, config, database.query, template, test)
    const order = { release, to, signedUpFrom, perHour, template }
    const { siteMailsPerHour } = config
    const plan = await planAnnouncement(database.query, { ...order, siteMailsPerHour })
    if (dryRun) {
      const shown = await previewText(template, context.now())
      return context.write(options.json ? plainJson({ ...plan, ...shown }) : planText(plan, shown))
    }
    const restoredAt = options.afterRestore ? undefined : await findLossyRestore(database.query, release)
    if (restoredAt !== undefined)
      throw new CommandError(
        `The database was restored from a backup on ${new Date(restoredAt).toISOString().slice(0, 10)}, and there is no record of what was sent after it was made. If you are sure that ${version} was not announced before, add --after-restore.`,
      )
    if (!(await isConfirmed(context, plan))) throw new CommandError('Nothing was announced.')
    const { kind, id } = await startAnnouncement(database, order, context.now())
    if (kind === 'cancelled')
      throw new CommandError(`${version} was cancelled; a cancelled announcement cannot go on.`)
    const progress = startProgress(context, 'recipients', plan.audience)
    const queueing = { senderDomain: config.senderDomain, now: context.now }
    await queueRecipients(database, id, queueing, progress.add).finally(progress.end)
    await showStatus(context, version, options)
  })
}

/** Asks in a terminal only. */
async function isConfirmed({ ask }: CommandContext, { version, audience }: AnnouncementPlan) {
  if (!ask) return true
  const text = `Announce ${version} to ${counted(audience, 'person', 'people')}? Type yes.`
  return (await ask({ text, example: 'yes' }))?.trim().toLowerCase() === 'yes'
}

async function sendTest(
  context: CommandContext,
  config: Config,
  connection: Connection,
  mail: StarterEmailTemplate,
  { identity, address }: EmailAddress,
) {
  const known = await connection
    .selectFrom('subscribers')
    .select('token')
    .where('identity', '=', identity)
    .executeTakeFirst()
  const mailer = await openMailer(config)
  const to = { address, token: known?.token ?? undefined, now: context.now() }
  const sending = await sendTestMail(mailer, mail, config, to).finally(() => mailer.close())
  if (sending.kind !== 'accepted') throw new CommandError(`The mail server did not take it: ${sending.why}`)
  const links = known?.token ? '' : ' Its links lead to nobody, because the address has no page.'
  await context.write(`Sent to ${address}.${links}\n`)
}

async function showStatus(
  context: CommandContext,
  version: string | undefined,
  { json }: { json?: true },
): Promise<void> {
  const all = await withDatabase(configOf(context), ({ query }) =>
    readAnnouncements(query, version === undefined ? undefined : { version }),
  )
  if (version !== undefined && all.length === 0) throw new CommandError(`${version} was not announced.`)
  if (json) return context.write(plainJson(version === undefined ? all : all[0]))
  if (all.length === 0) return context.write('Nothing was announced.\n')
  const records = all.map(({ version: of, to, state, audience, sent, waiting, failed, leftSince }) => {
    const figures = { audience, sent, waiting, failed, 'left since': leftSince }
    return { version: of, to, state, ...figures }
  })
  const paused = all.filter(({ pausedWhy }) => pausedWhy !== null)
  const why = paused.map((one) => `${one.version} has paused: ${one.pausedWhy}.\n`)
  await context.write(recordTable(records) + why.join(''))
}

async function change(
  context: CommandContext,
  version: string,
  { run, done }: (typeof changes)[keyof typeof changes],
): Promise<void> {
  await withDatabase(configOf(context), async (database) => {
    if (await run(database, version, context.now())) return context.write(`${version} is ${done}.\n`)
    const now = await readAnnouncement(database.query, version)
    throw new CommandError(now ? `${version} is ${now.state}.` : `${version} was not announced.`)
  })
}

function planText(
  { to, audience, people, hours }: AnnouncementPlan,
  { subject, text }: { subject: string; text: string },
): string {
  const takes =
    hours === Infinity ? 'for ever: LIMIT_SITE_MAILS_PER_HOUR lets none through' : counted(hours, 'hour')
  const rows: [string, string][] = [
    [`Would be mailed (--to ${to})`, countText(audience)],
    ['Takes, at least', takes],
    ['Asked for news of versions', countText(people.asked)],
    ['Never asked', countText(people.neverAsked)],
    ['Turned them off', countText(people.turnedOff)],
    ['Signed up too late, or before --since', countText(people.outOfTime)],
    ['Left the list', countText(people.left)],
    ['Undeliverable', countText(people.undeliverable)],
    ['Announced to already', countText(people.announcedTo)],
  ]
  return `${textTable(rows, [], ['left', 'right'])}\nSubject: ${subject}\n\n${text.trimEnd()}\n`
}
