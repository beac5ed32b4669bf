import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { addDailyCounts, dayOf } from '../statistics/daily-counts.ts'

/** The steps of a person: they opened an address, saw an entry arrive, saw an exit as well. */
const steps = ['opened', 'entry', 'both'] as const
export type FirstAlert = (typeof steps)[number]

/** Counts the steps that this person had not taken before, each once for ever. */
export async function countFirstAlert(
  transaction: Transaction,
  subscriber: number,
  reached: FirstAlert,
  now: number,
): Promise<void> {
  const row = await transaction.row<{ first_alert: FirstAlert | null }>(
    sql`select first_alert from subscribers where id = ${subscriber}`,
  )
  const before = row?.first_alert ? steps.indexOf(row.first_alert) : -1
  const taken = steps.slice(before + 1, steps.indexOf(reached) + 1)
  if (taken.length === 0) return
  await transaction.run(
    sql`update subscribers set first_alert = ${reached} where id = ${subscriber}`,
  )
  const day = dayOf(now)
  await addDailyCounts(
    transaction,
    taken.map((detail) => ({ day, event: 'first-alert', detail, count: 1 })),
  )
}
