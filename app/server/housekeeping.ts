import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from './database/json-rows.ts'
import type { Database } from './database/open-database.ts'
import { dropEndedWindows } from './sign-up/limit-windows.ts'
import type { RunningExtension } from './extension.ts'
import type { Log } from './log.ts'
import { dropUnusedTemplates, holdTemplate } from './deliveries/mail-templates.ts'
import { dayOf, dropDailyCounts } from './statistics/daily-counts.ts'
import { eraseFromTheList } from './subscribers/leave-the-list.ts'
import { findUnopened } from './subscribers/list-subscribers.ts'

export interface HousekeepingMeans {
  database: Database
  log: Log
  /** ms since 1970. */
  now: () => number
  /** Hash of the template this server writes new mail from. */
  template: string
  /** Infinity: nobody is erased for not opening. */
  keepUnopenedDays: number
  extensions: readonly RunningExtension[]
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** Much longer than the hour until it is said again. */
const holdMs = 7 * dayMs
/** Three years: so that a month can be held against the same month of the years before. */
const keepCountsMs = 3 * 366 * dayMs
const erasedAtOnce = 500
const stopTimeoutMs = 1_000
const countedSince = 'unopened-counted-since'

/** Once now, then every hour. */
export function startHousekeeping(means: HousekeepingMeans): { stop(): Promise<void> } {
  let running = Promise.resolve()
  const run = () => {
    running = keepHouse(means).catch((cause: unknown) =>
      means.log.warn('housekeeping not done, trying again in an hour', { cause }),
    )
  }
  run()
  const timer = setInterval(run, hourMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await Promise.race([running, sleep(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Throws away what nobody needs any more. Several instances may do it at the same time. */
export async function keepHouse(means: HousekeepingMeans): Promise<void> {
  const { database, log, now, template } = means
  await holdTemplate(database.query, template, now() + holdMs)
  await dropUnusedTemplates(database.query, now())
  await dropEndedWindows(database.query, now())
  await dropDailyCounts(database.query, dayOf(now() - keepCountsMs))
  for (const { maintain } of means.extensions) await maintain?.()
  const erased = await eraseUnopened(means)
  if (erased > 0) log.info('erased who never opened their page', { subscribers: erased })
}

/** Openings are noted only while the setting is on, so nobody's days begin before it was turned on. */
async function eraseUnopened({ database, now, keepUnopenedDays }: HousekeepingMeans): Promise<number> {
  if (keepUnopenedDays === Infinity) {
    await database.query.deleteFrom('settings').where('name', '=', countedSince).execute()
    return 0
  }
  const mailedBefore = now() - keepUnopenedDays * dayMs
  if ((await startOfCounting(database.query, now())) > mailedBefore) return 0
  let erased = 0
  for (;;) {
    const ids = await findUnopened(database.query, mailedBefore, erasedAtOnce)
    if (ids.length > 0) await eraseFromTheList(database, ids, now())
    erased += ids.length
    if (ids.length < erasedAtOnce) return erased
  }
}

async function startOfCounting(connection: Connection, now: number): Promise<number> {
  await connection
    .insertInto('settings')
    .values({ name: countedSince, value: String(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await connection
    .selectFrom('settings')
    .select('value')
    .where('name', '=', countedSince)
    .executeTakeFirstOrThrow()
  return Number(value)
}
