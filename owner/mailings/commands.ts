import { type Command } from 'commander'
import sql from 'sql-template-tag'
import type { EmailAddress } from '#contract/email-address.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { openMailer } from '#server/transports/open-mailer.ts'
import { type CommandContext, isConfirmed } from '#owner/acts/command-context.ts'
import { CommandError, UsageError } from '#owner/acts/errors.ts'
import { addCommand, jsonOption, readAddress } from '#owner/acts/terminal/options.ts'
import { countText, counted, plainJson, timeText } from '#owner/acts/output.ts'
import { type OwnedDatabase, withDatabase } from '#owner/acts/owned-database.ts'
import { recordTable, textTable } from '#owner/acts/terminal/tables.ts'
import { type AudienceCount, countAudience } from './audience.ts'
import { changeMailing, type MailingAct } from './change-mailing.ts'
import { previewMail } from '#owner/mail/preview-mail.ts'
import { composeMailing } from './compose.ts'
import { type LetterFile, readLetterFile } from './letters/letter-file.ts'
import { addPicture } from './letters/pictures.ts'
import { addMailing, listMailings, type Mailing, readMailing, titleOf } from './mailings.ts'
import { saveMailing } from './save-mailing.ts'
import { sendTest } from './send-test.ts'
import { readServedMails } from './served-mails.ts'
import { mailingStateWords } from './mailing-words.ts'

const note = `
In the EU and the UK, mail like this needs consent. "to: consented" mails only people who gave it.
Elsewhere your postal address and a way to unsubscribe are often enough: the mail has both.
"to: everyone" also mails people who asked only for the kit. Check the law that applies to you.\n`

/** `mailings list · add · test · send · pause · resume · cancel` */
export function addMailingCommands(program: Command, context: CommandContext): void {
  const mailings = program.command('mailings').description('Letters to subscribers, and the series')
  addCommand(mailings, 'list', 'Show the letters, with their figures', '')
    .addOption(jsonOption)
    .action(({ json }: { json?: true }) =>
      withDatabase(context, ({ database }) => showList(context, database, json)),
    )
  addCommand(mailings, 'add', 'Make a draft from a file', 'news.md', note)
    .argument('<FILE>', 'Markdown that begins with the lines ---, subject: …, ---')
    .option('--replace <NAME>', 'Replace this draft')
    .action((file: string, { replace }: { replace?: string }) =>
      withDatabase(context, (owned) => addFile(context, owned, file, replace)),
    )
  addCommand(mailings, 'test', 'Mail a test to one address', 'news you@example.com')
    .argument('<NAME>', 'The name or the number of a letter')
    .argument('<ADDRESS>', 'Only this address gets it', readAddress)
    .action((name: string, { address }: EmailAddress) =>
      withDatabase(context, (owned) => test(context, owned, name, address)),
    )
  addCommand(mailings, 'send', 'Send a letter, or switch on one of the series', 'news --dry-run')
    .argument('<NAME>', 'The name or the number of a letter')
    .option('--dry-run', 'Show who would get it, and the mail. Change nothing')
    .option('--now', 'Start at once. Without it, you have a minute to cancel')
    .addOption(jsonOption)
    .action((name: string, options: SendOptions) =>
      withDatabase(context, (owned) => send(context, owned, name, options)),
    )
  addChanges(mailings, context)
}

function addChanges(mailings: Command, context: CommandContext): void {
  const addChange = (act: MailingAct, does: string) =>
    addCommand(mailings, act, does, 'news')
      .argument('<NAME>', 'The name or the number of a letter')
      .action((name: string) =>
        withDatabase(context, async ({ database, now }) => {
          const { id } = await find(database, name)
          await changeMailing(database, id, { act, now: now() })
          await tellState(context, database, id)
        }),
      )
  addChange('pause', 'Send nothing more for now, or switch off one of the series')
  addChange('resume', 'Continue after a pause')
  addChange('cancel', 'Send nothing more. Within the first minute it is a draft again')
}

async function showList(context: CommandContext, database: Database, json?: true): Promise<void> {
  const all = await listMailings(database, sql`order by after_days, id desc`)
  if (json) return context.write(plainJson(all))
  if (all.length === 0) return context.write('There are no letters.\n')
  const rows = all.map((one) => ({ ...one, name: one.name ?? '', days: one.afterDays ?? '' }))
  await context.write(
    recordTable(rows, ['id', 'name', 'title', 'state', 'days', 'toSend', 'sent', 'failed', 'left']),
  )
}

async function addFile(
  context: CommandContext,
  { database, now }: OwnedDatabase,
  file: string,
  replace: string | undefined,
): Promise<void> {
  const letter = await readLetterFile(file, (bytes) => addPicture(database, bytes, now()))
  const other = letter.not === undefined ? undefined : await find(database, letter.not)
  const notMailing = other?.id ?? null
  const { name, afterDays, sendAt } = letter
  if (replace === undefined) {
    if ((await idOf(database, name)) !== undefined) {
      throw new UsageError(
        `There is a letter named ${name}. Use --replace ${name} if it is a draft.`,
      )
    }
    await database.transaction((transaction) =>
      addMailing(transaction, { ...letter, notMailing, afterDays, sendAt }, now()),
    )
  } else {
    await replaceDraft(database, letter, { replace, notMailing, now: now() })
  }
  await context.write(
    `${name} is a draft. "mailings send ${name} --dry-run" shows who would get it.\n`,
  )
}

async function replaceDraft(
  database: Database,
  { subject, preview, words, to, campaigns, afterDays, sendAt }: LetterFile,
  { replace, notMailing, now }: { replace: string; notMailing: number | null; now: number },
): Promise<void> {
  const draft = await find(database, replace)
  if (draft.state !== 'draft') {
    throw new UsageError(`${replace} ${mailingStateWords[draft.state]}, so it cannot be replaced.`)
  }
  const changes = {
    subject,
    preview,
    words,
    to,
    campaigns,
    notMailing,
    afterDays,
    sendAt: sendAt ?? null,
  }
  const { id, revision } = draft
  await saveMailing(database, { id, changes, before: {}, revision }, now)
}

async function test(
  context: CommandContext,
  { database, config, now }: OwnedDatabase,
  name: string,
  address: string,
): Promise<void> {
  const mailing = await find(database, name)
  const served = await readServedMails(context, database)
  const mailer = await openMailer(config)
  const deps = { database, mailer, config, now }
  const template = composeMailing(served, mailing)
  const isOnList = await sendTest(deps, template, address).finally(() => mailer.close())
  const links = isOnList
    ? ''
    : ' The links below it lead to the home page: nobody on the list has this address.'
  await context.write(`Sent to ${address}.${links}\n`)
}

interface SendOptions {
  dryRun?: true
  now?: true
  json?: true
}

async function send(
  context: CommandContext,
  owned: OwnedDatabase,
  name: string,
  options: SendOptions,
): Promise<void> {
  const { database, now } = owned
  const mailing = await find(database, name)
  const count = await countAudience(database, mailing)
  if (options.dryRun) return showPlan(context, owned, { mailing, count, json: options.json })
  const question =
    mailing.afterDays === null
      ? `Send “${titleOf(mailing)}” to ${counted(count.recipients, 'person', 'people')}?`
      : `Switch on “${titleOf(mailing)}”?`
  if (!(await isConfirmed(context, question))) throw new CommandError('Nothing was sent.')
  const isStartedNow = options.now ?? false
  await changeMailing(database, mailing.id, { act: 'send', now: now(), isStartedNow })
  await tellState(context, database, mailing.id)
}

interface SendPlan {
  mailing: Mailing
  count: AudienceCount
  json: true | undefined
}

async function showPlan(
  context: CommandContext,
  { database, config }: OwnedDatabase,
  { mailing, count, json }: SendPlan,
): Promise<void> {
  const served = await readServedMails(context, database)
  const { subject, text } = previewMail(composeMailing(served, mailing), config)
  if (json) return context.write(plainJson({ ...count, to: mailing.to, subject, text }))
  const people = Object.entries(count.people).map(([why, number]) => [
    `  ${separateWords(why)}`,
    countText(number),
  ])
  const head = [`Would get it (to: ${mailing.to})`, countText(count.recipients)]
  const table = textTable([head, ...people], [], ['left', 'right'])
  await context.write(`${table}\nSubject: ${subject}\n\n${text.trimEnd()}\n`)
}

/** `neverAsked`: never asked. */
function separateWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

async function tellState(context: CommandContext, database: Database, id: number): Promise<void> {
  const mailing = (await readMailing(database, id))! // it was changed just now
  const { state, startsAt } = mailing
  const isAhead = state === 'scheduled' && startsAt !== null && startsAt > context.now()
  const words = state === 'scheduled' && !isAhead ? 'starts now' : mailingStateWords[state]
  const start = isAhead
    ? ` It starts at ${timeText(startsAt)} UTC. Until then "mailings cancel" makes it a draft again.`
    : ''
  await context.write(`“${titleOf(mailing)}” ${words}.${start}\n`)
}

/** By its name, or by the number that `list` shows. */
async function find(reader: Reader, name: string): Promise<Mailing> {
  const id = (await idOf(reader, name)) ?? (/^\d{1,15}$/.test(name) ? Number(name) : undefined)
  const mailing = id === undefined ? undefined : await readMailing(reader, id)
  if (!mailing) throw new CommandError(`There is no letter named ${name}.`)
  return mailing
}

async function idOf(reader: Reader, name: string): Promise<number | undefined> {
  return (await listMailings(reader, sql`where name = ${name}`))[0]?.id
}
