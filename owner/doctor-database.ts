import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open-database.ts'
import { faultOfSqlite } from '#server/database/sqlite-files.ts'
import { countFaultsSince, overdueSince } from '#server/outbox/list-deliveries.ts'
import type { Finding } from './doctor.ts'
import { explainFault } from './explain-fault.ts'
import { sqliteFile, withDatabase } from './owned-database.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const stuckMs = 5 * minuteMs
const [littleSpaceMb, muchTooLittleSpaceMb] = [1_000, 100]

export async function checkDatabase(config: Config, now: number): Promise<Finding[]> {
  const file = sqliteFile(config.databaseUrl)
  return [
    ...(await checkConnection(config, file, now)),
    ...(file === undefined ? [] : [await checkDiskSpace(dirname(file))]),
  ]
}

async function checkConnection(config: Config, file: string | undefined, now: number): Promise<Finding[]> {
  try {
    return await withDatabase(config, async (database) => {
      await tryToWrite(database)
      const where = file ?? new URL(config.databaseUrl).host
      return [
        { state: 'ok', what: `the database at ${where} is up to date and can be written` },
        ...(file === undefined ? [] : [checkIntegrity(file)]),
        await checkStuckMail(database, now),
        ...(await checkFailures(database, now)),
      ]
    })
  } catch (fault) {
    const advice =
      file === undefined
        ? 'check DATABASE_URL, and that the server runs and lets this machine in'
        : `check the path in DATABASE_URL and that this user may write to ${dirname(file)}`
    return [{ state: 'wrong', what: explainFault(fault), advice }]
  }
}

class Undo extends Error {}

/** A row is written and taken back. */
async function tryToWrite({ query }: Database): Promise<void> {
  await query
    .transaction()
    .execute(async (transaction) => {
      await transaction.insertInto('settings').values({ name: 'doctor was here', value: '' }).execute()
      throw new Undo()
    })
    .catch((fault: unknown) => {
      if (!(fault instanceof Undo)) throw fault
    })
}

function checkIntegrity(file: string): Finding {
  const fault = faultOfSqlite(file)
  if (!fault) return { state: 'ok', what: 'the database file is intact' }
  return {
    state: 'wrong',
    what: `the database file cannot be trusted: ${fault}`,
    advice: 'restore the newest backup',
  }
}

async function checkStuckMail({ query }: Database, now: number): Promise<Finding> {
  const since = await overdueSince(query, now)
  if (since === undefined || now - since < stuckMs) return { state: 'ok', what: 'no mail is stuck' }
  return {
    state: 'wrong',
    what: `mail has been waiting for ${Math.round((now - since) / minuteMs)} minutes`,
    advice:
      'is a server running, and does it reach SMTP_URL? "deliveries list --state queued" tells why; above LIMIT_SITE_MAILS_PER_HOUR waiting is right',
  }
}

async function checkFailures({ query }: Database, now: number): Promise<Finding[]> {
  const faults = await countFaultsSince(query, now - dayMs)
  return faults
    .filter(({ state }) => state === 'failed')
    .map(({ fault, count }) => ({
      state: 'look',
      what: `${count} deliveries of the last 24 hours failed: ${fault}`,
      advice: '"deliveries list --state failed" shows them, "deliveries retry failed" sends them again',
    }))
}

async function checkDiskSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const freeMb = Math.floor((bavail * bsize) / 1_000_000)
  const what = `${freeMb.toLocaleString('en')} MB are free beside the database`
  if (freeMb >= littleSpaceMb) return { state: 'ok', what }
  const advice = 'make room: on a full disk sign-ups are refused'
  return { state: freeMb < muchTooLittleSpaceMb ? 'wrong' : 'look', what, advice }
}
