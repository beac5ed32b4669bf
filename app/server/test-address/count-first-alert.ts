import sql from 'sql-template-tag'
import type { Reader, Transaction } from '../database/database.ts'
import { addDailyCounts, dayOf } from '../statistics/daily-counts.ts'

/** The steps of a person: they opened an address, saw an entry arrive, saw an exit as well. */
const steps = ['opened', 'entry', 'both'] as const
export type FirstAlert = (typeof steps)[number]

/** The last step that this person ever took. Null: none. */
export async function readFirstAlert(
  reader: Reader,
  subscriber: number,
): Promise<FirstAlert | null> {
  const row = await reader.row<{ reached: FirstAlert | null }>(
    sql`select first_alert as reached from subscribers where id = ${subscriber}`,
  )
  return row?.reached ?? null
}

/** Counts the steps that this person had not taken before, each once for ever. */
export async function countFirstAlert(
  transaction: Transaction,
  subscriber: number,
  reached: FirstAlert,
  now: number,
): Promise<void> {
  const last = await readFirstAlert(transaction, subscriber)
  const before = last ? steps.indexOf(last) : -1
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
