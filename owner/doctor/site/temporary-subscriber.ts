import type { Connection, Database } from '#server/database/database.ts'
import { settingPrefixes } from '#server/database/setting-names.ts'
import { addDailyCounts, dayOf } from '#server/statistics/daily-counts.ts'
import { enrol, findRecipients, newToken } from '#server/subscribers/subscribers.ts'

/** No mail can go there: RFC 2606. */
const domain = 'doctor.invalid'
/** Longer than any of them is used. */
const leftBehindMs = 10 * 60_000
/** Settings keys of these subscribers: a search among all subscribers would take long. */
const rowName = settingPrefixes.temporarySubscriber

/**
 * Adds a subscriber who does not exist while `work` runs, to try what only a subscriber can do.
 * The next doctor or the next maintenance erases the ones that a killed process left behind.
 */
export async function withTemporarySubscriber<Result>(
  { query }: Database,
  now: number,
  work: (token: string) => Promise<Result>,
): Promise<Result> {
  const address = `${newToken()}@${domain}`
  const newcomer = { identity: address.toLowerCase(), address, abuse_key: null }
  await eraseLeftBehind(query, now)
  const id = await query.transaction().execute(async (transaction) => {
    const [{ id: enrolled } = { id: 0 }] = await enrol(transaction, [newcomer], now) // random: never on the list yet
    await transaction
      .insertInto('settings')
      .values({ name: rowName + enrolled, value: String(enrolled) })
      .execute()
    return enrolled
  })
  try {
    const [recipient] = await findRecipients(query, [id], newToken)
    return await work(recipient?.token ?? '')
  } finally {
    await uncount(query, id, now)
    await eraseTemporary(query, id)
  }
}

/** They do not count as erased people. */
export async function eraseLeftBehind(connection: Connection, now: number): Promise<void> {
  const rows = await connection
    .selectFrom('settings')
    .select('value')
    .where('name', 'like', `${rowName}%`)
    .execute()
  for (const id of rows.map(({ value }) => Number(value))) {
    const found = await connection
      .selectFrom('subscribers')
      .select('signed_up_at')
      .where('id', '=', id)
      .executeTakeFirst()
    if (!found || found.signed_up_at < now - leftBehindMs) await eraseTemporary(connection, id)
  }
}

async function eraseTemporary(connection: Connection, id: number): Promise<void> {
  // The number alone is not enough: SQLite reuses it once it is free.
  await connection
    .deleteFrom('subscribers')
    .where('id', '=', id)
    .where('identity', 'like', `%@${domain}`)
    .execute()
  await connection
    .deleteFrom('settings')
    .where('name', '=', rowName + id)
    .execute()
}

/** Leaving was counted in the same transaction. A temporary subscriber must not count. */
async function uncount(connection: Connection, id: number, now: number): Promise<void> {
  const row = await connection
    .selectFrom('subscribers')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.state !== 'unsubscribed') return
  await addDailyCounts(connection, [{ day: dayOf(now), event: 'unsubscribed', detail: '', count: -1 }])
}
