import { existsSync } from 'node:fs'
import type { Reader } from '#server/database/database.ts'
import { NewerDatabase } from '#server/database/open-database.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import { faultOfSqlite } from '#owner/backup/sqlite-files.ts'
import { explainError } from '#owner/acts/errors.ts'
import { sqliteFile, withDatabase } from '#owner/acts/owned-database.ts'
import type { CheckContext, Outcome } from '../check-context.ts'
import { about, type Condition } from '../condition.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export async function checkDatabase(context: CheckContext): Promise<Outcome> {
  const { fine, error } = about('database.answers')
  const { config, now } = context
  const file = sqliteFile(config.databaseUrl)
  try {
    const fault = file !== undefined && existsSync(file) ? faultOfSqlite(file) : undefined
    if (fault !== undefined) {
      return about('database.integrity').error(
        `The database file cannot be used: ${fault}.`,
        'Restore the newest backup.',
      )
    }
    const what =
      file === undefined
        ? `The database at ${new URL(config.databaseUrl).host} is`
        : 'The database file is intact,'
    return await withDatabase(context, async ({ database }) => {
      await database.transaction((transaction) =>
        writeSetting(transaction, 'doctor', String(now())),
      )
      return [fine(`${what} up to date and can be written.`), await checkTraces(database, now())]
    })
  } catch (fault) {
    const advice =
      fault instanceof NewerDatabase
        ? 'Install the version that the server ran last.'
        : 'Start the server with the same DATABASE_URL, and run the doctor as its user. Close other programs that use the database.'
    return error(explainError(fault), advice)
  }
}

/**
 * Maintenance clears the files within the hour, unless another process keeps reading the database.
 */
async function checkTraces(reader: Reader, now: number): Promise<Condition> {
  const { fine, warning } = about('database.traces')
  const since = Number((await readSetting(reader, 'erased-uncleared')) ?? now)
  if (since >= now - hourMs) {
    return fine('No traces of erased subscribers are older than an hour.')
  }
  return warning(
    `Traces of erased subscribers have been left in the database files for ${Math.round((now - since) / minuteMs)} minutes.`,
    'Keep the server running: it removes them within the hour. Close other programs that hold the database open, such as sqlite3.',
  )
}
