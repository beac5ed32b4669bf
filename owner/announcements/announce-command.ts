import type { Command } from 'commander'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Config } from '#server/configuration/config.ts'
import type { Connection, Database } from '#server/database/database.ts'
import { openMailer } from '#server/transports/open-mailer.ts'
import { type CommandContext, CommandError, UsageError } from '../command-line/command-context.ts'
import {
  addExample,
  addJsonOption,
  addSinceOption,
  readChoice,
  readPositiveInteger,
} from '../command-line/options.ts'
import { countText, counted, recordTable, textTable } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { startProgress } from '../command-line/progress-bar.ts'
import {
  type Announceable,
  asReceived,
  readAnnounceable,
  renderAnnouncement,
  sendTestAnnouncement,
} from './announcement-mail.ts'
import {
  type Audience,
  cancelAnnouncement,
  pauseAnnouncement,
  readAnnouncement,
  readAnnouncements,
  resumeAnnouncement,
  startAnnouncement,
} from './announcements.ts'
import { type AnnouncementPlan, planAnnouncement, restoredUnknowing } from './plan-announcement.ts'
import { queueRecipients } from './queue-recipients.ts'

interface AnnounceOptions {
  to?: Audience
  since?: number
  perHour?: number
  dryRun?: true
  test?: string
  afterRestore?: true
  json?: true
}

const law = `
In the EU and the UK, mail like this needs consent: --to consented has it.
Elsewhere an address and a way out are often enough: both are in the mail.
--to everyone also mails who asked for the kit only. Look up what binds you.`

export function addAnnounceCommands(program: Command, context: CommandContext): void {
  const announce = program
    .command('announce')
    .description('Mail subscribers about the newest version of the kit')
    .argument('<VERSION>', 'The newest entry of content/releases.ts')
    .option(
      '--to <AUDIENCE>',
      'consented: who asked for it. everyone: all but those who turned it off',
      (text: string) => readChoice(text, '--to', ['consented', 'everyone']),
    )
  addSinceOption(announce, 'Only who signed up')
    .option(
      '--per-hour <N>',
      'Mails an hour. Without it 100 in the first hour, then twice as many each hour',
      (text: string) => readPositiveInteger(text, '--per-hour'),
    )
    .option('--dry-run', 'Show audience, time and mail; change nothing')
    .option('--test <ADDRESS>', 'Send the mail to this address only')
    .option('--after-restore', 'Also if it may have been announced before the database was restored')
  addJsonOption(announce).addHelpText('after', law)
  addExample(announce, 'announce 1.2.0 --to consented --dry-run')
  announce.action((version: string, options: AnnounceOptions) => runAnnounce(context, version, options))

  const status = announce.command('status').description('Show what has become of announcements')
  addExample(addJsonOption(status.argument('[VERSION]')), 'announce status 1.2.0')
  status.action((version: string | undefined, _: object, command: Command) =>
    showStatus(context, version, command.optsWithGlobals()),
  )
  for (const [name, { description, done }] of Object.entries(changes)) {
    const command = announce.command(name).description(description).argument('<VERSION>')
    addExample(command, `announce ${name} 1.2.0`)
    command.action((version: string) => change(context, version, changes[name]!, done))
  }
}

interface Change {
  description: string
  run: (database: Database, version: string, now: number) => Promise<boolean>
  done: string
}

const changes: Record<string, Change> = {
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
  const { release, template } = await findRelease(context, config, version)
  const mail = renderAnnouncement(template, to)
  await withDatabase(config, async (database) => {
    if (test !== undefined) return sendTest(context, config, database.query, mail, test)
    const { siteMailsPerHour } = config
    const plan = await planAnnouncement(database.query, {
      release,
      to,
      signedUpFrom,
      perHour,
      siteMailsPerHour,
    })
    if (dryRun) {
      const shown = await asReceived(mail, context.now())
      return context.write(options.json ? toJson({ ...plan, ...shown }) : planText(plan, shown))
    }
    if (!options.afterRestore) await refuseAfterRestore(database.query, release)
    if (!(await isConfirmed(context, plan))) throw new CommandError('Nothing was announced.')
    const { kind, id } = await startAnnouncement(
      database,
      { release, to, signedUpFrom, perHour, template: mail },
      context.now(),
    )
    if (kind === 'cancelled')
      throw new CommandError(`${version} was cancelled; a cancelled announcement cannot go on.`)
    const progress = startProgress(context, 'recipients', plan.audience)
    const messageIdDomain = config.mailFrom.address.split('@')[1]!
    await queueRecipients(database, id, { messageIdDomain, now: context.now }, progress.add).finally(
      progress.end,
    )
    await showStatus(context, version, options)
  })
}

async function findRelease(
  { folder }: CommandContext,
  config: Config,
  version: string,
): Promise<Announceable> {
  const newest = await readAnnounceable(folder, config)
  if (newest?.release.version === version) return newest
  throw new CommandError(
    newest
      ? `The kit has version ${newest.release.version}, so that is the one to announce.`
      : 'content/releases.ts has no entry for the version of the kit.',
  )
}

async function refuseAfterRestore(connection: Connection, release: Announceable['release']): Promise<void> {
  const restoredAt = await restoredUnknowing(connection, release)
  if (restoredAt === undefined) return
  throw new CommandError(
    `The database was restored from a backup on ${new Date(restoredAt).toISOString().slice(0, 10)}, and nothing told what had been sent since. If you are sure that ${release.version} was not announced before, add --after-restore.`,
  )
}

/** Asks in a terminal only. */
async function isConfirmed(
  { ask }: CommandContext,
  { version, audience }: AnnouncementPlan,
): Promise<boolean> {
  if (!ask) return true
  const text = `Announce ${version} to ${counted(audience, 'person', 'people')}? Type yes.`
  const answer = await ask({
    text,
    example: 'yes',
    isSecret: false,
    suggestion: undefined,
    faultOf: () => undefined,
  })
  return answer?.trim().toLowerCase() === 'yes'
}

async function sendTest(
  context: CommandContext,
  config: Config,
  connection: Connection,
  mail: Announceable['template'],
  typed: string,
) {
  const parsed = parseEmailAddress(typed)
  if (!parsed) throw new UsageError(`"${typed}" is not an email address.`)
  const known = await connection
    .selectFrom('subscribers')
    .select('token')
    .where('identity', '=', parsed.identity)
    .executeTakeFirst()
  const mailer = await openMailer(config)
  const to = { address: parsed.address, token: known?.token ?? undefined, now: context.now() }
  const sending = await sendTestAnnouncement(mailer, mail, to).finally(() => mailer.close())
  if (sending.kind !== 'accepted') throw new CommandError(`The mail server did not take it: ${sending.why}`)
  const links = known?.token ? '' : ' Its links lead to nobody, because the address has no page.'
  await context.write(`Sent to ${parsed.address}.${links}\n`)
}

async function showStatus(
  context: CommandContext,
  version: string | undefined,
  { json }: { json?: true },
): Promise<void> {
  const all = await withDatabase(configOf(context), ({ query }) => readAnnouncements(query, version))
  if (version !== undefined && all.length === 0) throw new CommandError(`${version} was not announced.`)
  if (json) return context.write(toJson(version === undefined ? all : all[0]))
  if (all.length === 0) return context.write('Nothing was announced.\n')
  const records = all.map(({ version: of, to, state, audience, sent, waiting, failed, leftSince }) => ({
    version: of,
    to,
    state,
    audience,
    sent,
    waiting,
    failed,
    'left since': leftSince,
  }))
  const why = all.flatMap((one) =>
    one.pausedWhy === null ? [] : [`${one.version} has paused: ${one.pausedWhy}.\n`],
  )
  await context.write(recordTable(records) + why.join(''))
}

async function change(
  context: CommandContext,
  version: string,
  { run }: Change,
  done: string,
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
  return `${textTable(rows, [], ['left', 'right'])}\nSubject: ${subject}\n\n${text}`
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
