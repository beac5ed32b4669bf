import { readFileSync } from 'node:fs'
import { parse } from 'node:path'
import { type Command, Option } from 'commander'
import { campaignNamed } from '#contract/campaign.ts'
import { type CommandContext, isConfirmed } from '#owner/acts/command-context.ts'
import { writeNewFile } from '#owner/acts/terminal/new-file.ts'
import { addCommand, readMoment } from '#owner/acts/terminal/options.ts'
import { countText, plainText } from '#owner/acts/output.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import { jobEventRecorder } from '#owner/mail/webhooks/record-event.ts'
import type { ValueMeaning } from '../table/permission-columns.ts'
import { readImport, type RefusedLine, requireClear } from './read-import.ts'
import { groupRefusals, refusedLinesFile } from './refused-lines.ts'
import { finishWithProgress } from '#owner/acts/jobs/finish-with-progress.ts'
import { importOutcome, outcomeOf } from '#owner/acts/jobs/job-words.ts'
import { importAct, startImport } from './import-people.ts'
import { tryImport } from './try-import.ts'

interface ImportCommandOptions {
  dryRun?: boolean
  consentedAt?: number
  campaign?: string
  addressColumn?: string
  statusColumn?: string
  activeValue: string[]
  leftValue: string[]
  refused?: string
}

export function addImportCommand(subscribers: Command, context: CommandContext): void {
  const description =
    'Put the people in a CSV file on the list. Nobody is mailed, and people already on it stay as they are'
  const consented = new Option(
    '--consented-at <DATE>',
    'All of them agreed that day to hear from you',
  )
  const named = 'The campaign of these people. Without it, the name of the file'
  const status = 'The only column that says who may be mailed'
  const active = 'A value of such a column that means: may be mailed. Repeat it for another'
  const left = 'A value that means: has left, or may not be mailed'
  addCommand(subscribers, 'import', description, 'data/people.csv')
    .argument(
      '<FILE>',
      'Its first line names the columns: email and, optionally, announcements_agreed_at',
    )
    .option('--dry-run', 'Say what would happen, and change nothing')
    .addOption(consented.argParser((text) => readMoment(text, 0)))
    .option('--campaign <NAME>', named)
    .option('--address-column <NAME>', 'The column of addresses')
    .option('--status-column <NAME>', status)
    .option('--active-value <VALUE>', active, addTo, [])
    .option('--left-value <VALUE>', left, addTo, [])
    .option('--refused <FILE>', 'Write every refused line, and why, to a new file')
    .action((file: string, options: ImportCommandOptions) => importFile(context, file, options))
}

function addTo(value: string, before: string[]): string[] {
  return [...before, value]
}

async function importFile(
  context: CommandContext,
  file: string,
  {
    dryRun: isDryRun = false,
    refused,
    campaign = parse(file).name,
    ...options
  }: ImportCommandOptions,
): Promise<void> {
  const list = readFileSync(file)
  await withDatabase(context, async ({ database, config, now }) => {
    const meanings = meaningsOf(options)
    const read = await readImport(list, { ...options, meanings, now: now() })
    requireClear(read, 'Say it with --active-value or --left-value. Nothing was imported.')
    const tried = await tryImport(database, read)
    await context.write(refusalLines(tried.refused) + unreadLine(read.unread))
    if (refused !== undefined) {
      await writeNewFile(refused, (lines) => lines.writeFile(refusedLinesFile(tried.refused)))
    }
    if (isDryRun) {
      const { wanted, known, duplicates } = tried
      const counts = { added: wanted.length, known, duplicates, refused: tried.refused.length }
      await context.write(`Nothing was changed. ${importOutcome(counts, true)}\n`)
      return
    }
    const isDoubtful = read.unread.length > 0
    if (isDoubtful && !(await isConfirmed(context, 'Import them without it?'))) {
      await context.write('Nothing was imported.\n')
      return
    }
    const id = await startImport(database, tried, { campaign: campaignNamed(campaign), now: now() })
    const act = importAct({ now, recordEvent: jobEventRecorder(config) })
    const job = await finishWithProgress({ database, now }, id, act, 'Importing')
    await context.write(`${outcomeOf(job)}\n`)
  })
}

function meaningsOf({ activeValue, leftValue }: ImportCommandOptions): ValueMeaning[] {
  return [
    ...activeValue.map((value) => ({ value, mayBeMailed: true })),
    ...leftValue.map((value) => ({ value, mayBeMailed: false })),
  ]
}

function refusalLines(refused: readonly RefusedLine[]): string {
  const lines: string[] = []
  for (const { reason, count, examples } of groupRefusals(refused)) {
    for (const { line, why } of examples) lines.push(`Line ${line}: ${plainText(why)}.\n`)
    const further = count - examples.length
    if (further > 0) lines.push(`And ${countText(further)} more: ${plainText(reason)}.\n`)
  }
  return lines.join('')
}

function unreadLine(unread: readonly string[]): string {
  if (unread.length === 0) return ''
  const names = unread.map((name) => `"${plainText(name)}"`).join(', ')
  return `Not used, although it sounds like consent or leaving: ${names}.\n`
}
