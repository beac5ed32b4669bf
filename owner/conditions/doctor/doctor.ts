import { styleText } from 'node:util'
import { type Command, Help } from 'commander'
import type { EmailAddress } from '#contract/email-address.ts'
import { readSecret, readSetting } from '#server/database/settings.ts'
import { readSettings } from '#server/settings/config.ts'
import { signedInAtSetting } from '#owner/acts/desk-request.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { addCommand, jsonOption, readAddress } from '#owner/acts/terminal/options.ts'
import { readStoredSite, type StoredSite, withDatabase } from '#owner/acts/owned-database.ts'
import { counted, plainJson, plainText } from '#owner/acts/output.ts'
import { about, type Condition, needsOwner, type Severity } from '../condition.ts'
import { judge } from '../judge.ts'
import { judgeWithoutDatabase, readState } from '../read-state.ts'
import { runChecks } from '../check-up/run-checks.ts'

/** `onError` is called once if something is wrong. */
export function addDoctorCommand(
  program: Command,
  context: CommandContext,
  onError: () => void,
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
      const conditions = await examine(context, sendTest?.address, json)
      if (conditions.some(needsOwner)) onError()
    })
}

/** Shows the conditions as they come. */
async function examine(
  context: CommandContext,
  testAddress?: string,
  json = false,
): Promise<Condition[]> {
  const all: Condition[] = []
  for await (const found of readAll(context, testAddress)) {
    all.push(...found)
    if (!json) await context.write(found.map(showCondition).join(''))
  }
  await context.write(json ? plainJson(all) : showSummary(all))
  return all
}

/** All conditions, as the desk lists them. */
async function* readAll(
  context: CommandContext,
  testAddress: string | undefined,
): AsyncGenerator<Condition[]> {
  const read = readSettings(context.environment)
  if ('faults' in read) {
    const advice =
      'Correct it in the environment (.env.example explains each variable). The other checks run after that.'
    yield read.faults.map((fault) => about('configuration.complete').error(`${fault}.`, advice))
    return
  }
  const site = await readStoredSite(context)
  const { state, signedInAt } = await readStateOf(context, site)
  const surroundings = { settings: site.settings, signedInAt }
  yield state.map((condition) => judge(condition, surroundings))
  for await (const { conditions } of runChecks({ ...context, testAddress })) {
    yield conditions.map((condition) => judge(condition, surroundings))
  }
}

/** Judges what needs no database if it cannot be read. A check says what is wrong with it. */
async function readStateOf(
  context: CommandContext,
  site: StoredSite,
): Promise<{ state: Condition[]; signedInAt: string | undefined }> {
  try {
    return await withDatabase(context, async ({ database, now }) => {
      const secret = await database.transaction(readSecret)
      return {
        state: await readState({ ...site, reader: database, secret, now: now() }),
        signedInAt: await readSetting(database, signedInAtSetting),
      }
    })
  } catch {
    return { state: await judgeWithoutDatabase(site), signedInAt: undefined }
  }
}

const columns = 80
const labels: Record<Severity, string> = {
  blocks: 'BLOCKS',
  error: 'ERROR',
  warning: 'WARNING',
  'not-checked': '?',
  fine: 'ok',
}
const colors = {
  blocks: 'red',
  error: 'red',
  warning: 'yellow',
  'not-checked': 'dim',
  fine: 'green',
} as const
const labelWidth = 9
const indent = ' '.repeat(labelWidth)

/** A condition in lines of at most 80 columns. */
export function showCondition({ severity, what, why, advice, record }: Condition): string {
  const label = styleText(colors[severity], labels[severity].padEnd(labelWidth))
  const parts = [wrap(what, indent)]
  if (severity !== 'fine' && severity !== 'not-checked') {
    parts.push(`${indent}Why  ${wrap(why, `${indent}     `)}`)
  }
  if (advice !== undefined) parts.push(`${indent}Do   ${wrap(advice, `${indent}     `)}`)
  // A record is not wrapped, so that it can be copied whole.
  for (const [name, value] of Object.entries(record ?? {})) {
    parts.push(`${indent}     ${`${name}:`.padEnd(7)}${plainText(value)}`)
  }
  return `${label}${parts.join('\n')}\n`
}

/** The number of conditions of each severity, the gravest first. */
export function showSummary(conditions: readonly Condition[]): string {
  const count = (...wanted: Severity[]) =>
    conditions.filter(({ severity }) => wanted.includes(severity)).length
  const errors = count('blocks', 'error')
  const verdict =
    errors === 0 ? 'Nothing is wrong' : counted(errors, 'thing is', 'things are') + ' wrong'
  const warnings = counted(count('warning'), 'warning')
  return `\n${verdict}. ${warnings}, ${count('not-checked')} not checked, ${count('fine')} ok.\n`
}

/** Some texts, such as a relay's reply, have line breaks. */
function wrap(text: string, hanging: string): string {
  const oneLine = plainText(text.replaceAll(/[\r\n]+/g, ' '))
  return new Help().boxWrap(oneLine, columns - hanging.length).replaceAll('\n', `\n${hanging}`)
}
