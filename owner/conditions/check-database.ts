import { existsSync } from 'node:fs'
import type { Config } from '#server/settings/config.ts'
import type { Reader } from '#server/database/database.ts'
import { NewerDatabase } from '#server/database/open-database.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import { faultOfSqlite } from '#owner/backup/sqlite-files.ts'
import { explainError } from '#owner/acts/command-context.ts'
import { countText, timeText } from '#owner/acts/output.ts'
import { readDiskSpace, sqliteFile, withDatabase } from '#owner/acts/owned-database.ts'
import { headingOfMailTrouble, wordsOfMailTrouble } from '#owner/mail/mail-trouble-words.ts'
import { readOwnerMailState } from '#owner/mail/mail-trouble.ts'
import { type CheckContext, type Finding, type Outcome, type Subject, subject } from './finding.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const wrongBelowBytes = 100_000_000

export async function checkDatabase(context: CheckContext, about: Subject): Promise<Outcome> {
  const { config, now } = context
  const file = sqliteFile(config.databaseUrl)
  try {
    const fault = file !== undefined && existsSync(file) ? faultOfSqlite(file) : undefined
    if (fault !== undefined) {
      return subject('database.integrity').wrong(
        `The database file cannot be used: ${fault}.`,
        'Restore the newest backup.',
      )
    }
    const what = `The database at ${file ?? new URL(config.databaseUrl).host} is`
    return await withDatabase(context, async ({ database }) => {
      await database.transaction((transaction) =>
        writeSetting(transaction, 'doctor', String(now())),
      )
      return [
        about.ok(`${what}${file === undefined ? '' : ' intact,'} up to date and can be written.`),
        await checkStuckMail(database, config, now()),
        await checkTraces(database, now()),
      ]
    })
  } catch (fault) {
    const advice =
      fault instanceof NewerDatabase
        ? 'Install the version that the server ran last.'
        : 'Start the server with the same DATABASE_URL, and run the doctor as its user. Close other programs that use the database.'
    return about.wrong(explainError(fault), advice)
  }
}

async function checkStuckMail(
  reader: Reader,
  config: Pick<Config, 'siteMailsPerHour'>,
  now: number,
): Promise<Finding> {
  const { ok, look, wrong } = subject('database.stuck-mail')
  const { trouble, waiting } = await readOwnerMailState(reader, config, now)
  // The check of the mail service says whether the relay answers.
  if (!trouble || trouble.kind === 'away') return ok('No mail is stuck.')
  const timeOf = (at: number) => `${timeText(at)} UTC`
  const { text, remedy } = wordsOfMailTrouble(trouble, { waiting, at: now, timeOf })
  const sentence = `${headingOfMailTrouble(trouble.kind)} ${text}`
  return trouble.kind === 'stuck' ? wrong(sentence, remedy) : look(sentence, remedy)
}

/**
 * Maintenance clears the files within the hour, unless another process keeps reading the database.
 */
async function checkTraces(reader: Reader, now: number): Promise<Finding> {
  const { ok, look } = subject('database.traces')
  const since = Number((await readSetting(reader, 'erased-uncleared')) ?? now)
  if (since >= now - hourMs) {
    return ok('No traces of erased subscribers are older than an hour.')
  }
  return look(
    `Traces of erased subscribers have been left in the database files for ${Math.round((now - since) / minuteMs)} minutes.`,
    'Keep the server running: it removes them within the hour. Close other programs that hold the database open, such as sqlite3.',
  )
}

export async function checkDiskSpace({ config }: CheckContext, disk: Subject): Promise<Outcome> {
  const space = await readDiskSpace(config)
  if (!space) return []
  const what = `${countText(Math.floor(space.freeBytes / 1_000_000))} MB are free on the disk of the database.`
  const advice = 'Free some space on it.'
  if (space.freeBytes < wrongBelowBytes) return disk.wrong(what, advice)
  return space.isLow ? disk.look(what, advice) : disk.ok(what)
}
