import type { Connection, Database } from '#server/database/database.ts'
import { addDailyCounts, dayOf } from '#server/statistics/daily-counts.ts'
import { enrol, findRecipients } from '#server/subscribers/subscribers.ts'
import { CommandError } from '../../command-line/command-context.ts'

/** The same at every run, so that those a killed process left behind are found. No mail can go there: RFC 2606. */
const identities = { files: 'files@doctor.invalid', oneClick: 'one-click@doctor.invalid' }
/** Longer than any of them is used. */
const leftBehindMs = 10 * 60_000

/**
 * Adds a subscriber who does not exist while `work` runs, to try what only a subscriber can do.
 * The next doctor or the next maintenance erases the ones that a killed process left behind.
 */
export async function withTemporarySubscriber<Result>(
  { query }: Database,
  now: number,
  check: keyof typeof identities,
  work: (token: string) => Promise<Result>,
): Promise<Result> {
  const identity = identities[check]
  await eraseLeftBehind(query, now)
  const [enrolled] = await enrol(query, [{ identity, address: identity, abuse_key: null }], now)
  if (!enrolled)
    throw new CommandError('Another doctor tries the links now, or was killed. Try again in ten minutes.')
  try {
    const [recipient] = await findRecipients(query, [enrolled.id])
    return await work(recipient?.token ?? '')
  } finally {
    const temporary = query.deleteFrom('subscribers').where('identity', '=', identity)
    const erased = await temporary.returning('state').executeTakeFirst()
    // Leaving was counted in the same transaction. A temporary subscriber must not count.
    if (erased?.state === 'unsubscribed')
      await addDailyCounts(query, [{ day: dayOf(now), event: 'unsubscribed', detail: '', count: -1 }])
  }
}

/** They do not count as erased people. */
export async function eraseLeftBehind(connection: Connection, now: number): Promise<void> {
  await connection
    .deleteFrom('subscribers')
    .where('identity', 'in', Object.values(identities))
    .where('signed_up_at', '<', now - leftBehindMs)
    .execute()
}
