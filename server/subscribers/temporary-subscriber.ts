import type { Connection } from '../database/json-rows.ts'
import type { Database } from '../database/open-database.ts'
import { newToken } from '../personal-link/personal-link.ts'
import { addDailyCounts, dayOf } from '../statistics/daily-counts.ts'
import { enrol, erase, findRecipients } from './subscribers.ts'

/** No mail can go there: RFC 2606. */
const domain = 'doctor.invalid'
/** Longer than any of them is in use. */
const leftBehindMs = 10 * 60_000

/**
 * Puts somebody on the list who does not exist, for as long as `work` takes, to try out what only a subscriber can do.
 * Whom a killed process left behind goes as well, or with the next housekeeping.
 */
export async function withTemporarySubscriber<Result>(
  { query }: Database,
  now: number,
  work: (token: string) => Promise<Result>,
): Promise<Result> {
  const address = `${newToken()}@${domain}`
  const newcomer = { identity: address.toLowerCase(), address, abuse_key: null }
  const [{ id } = { id: 0 }] = await enrol(query, [newcomer], now) // a random address is never on the list yet
  try {
    const [recipient] = await findRecipients(query, [id], newToken)
    return await work(recipient?.token ?? '')
  } finally {
    await uncount(query, id, now)
    await erase(query, [id])
    await eraseLeftBehind(query, now)
  }
}

/** Not counted among the erased: they were nobody. */
export async function eraseLeftBehind(connection: Connection, now: number): Promise<void> {
  const rows = await connection
    .selectFrom('subscribers')
    .select('id')
    .where('identity', 'like', `%@${domain}`)
    .where('signed_up_at', '<', now - leftBehindMs)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await erase(connection, ids)
}

/** Whoever leaves is counted in the same transaction; somebody who does not exist is nobody to count. */
async function uncount(connection: Connection, id: number, now: number): Promise<void> {
  const row = await connection
    .selectFrom('subscribers')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.state !== 'unsubscribed') return
  await addDailyCounts(connection, [{ day: dayOf(now), event: 'unsubscribed', detail: '', count: -1 }])
}
