import type { Connection, Tables } from '../database/database.ts'

export type SubscriberState = Tables['subscribers']['state']
export const subscriberStates: readonly SubscriberState[] = ['active', 'unsubscribed', 'undeliverable']

export interface ListedSubscriber {
  id: number
  address: string
  state: SubscriberState
  signed_up_at: number
  last_mailed_at: number
  opened_at: number | null
}

export interface SubscriberFilter {
  state?: SubscriberState | undefined
  /** Of the sign-up, in ms since 1970: from then on. */
  since?: number | undefined
  /** And before then. */
  until?: number | undefined
}

const pageRows = 1_000
const columns = ['id', 'address', 'state', 'signed_up_at', 'last_mailed_at', 'opened_at'] as const

/**
 * Yields all that match in order of sign-up, page by page. A long list needs no more memory than a short one, and no
 * transaction stays open, which would keep SQLite's log from being emptied.
 */
export async function* pagesOfSubscribers(connection: Connection, filter: SubscriberFilter) {
  let after = 0
  for (;;) {
    const page: ListedSubscriber[] = await matching(connection, filter)
      .select(columns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageRows)
      .execute()
    if (page.length > 0) yield page
    if (page.length < pageRows) return
    after = page.at(-1)!.id
  }
}

/** The newest first; with `below` only those of a smaller number, which is the next page. */
export async function newestSubscribers(
  connection: Connection,
  filter: SubscriberFilter,
  limit: number,
  below?: number,
): Promise<ListedSubscriber[]> {
  return matching(connection, filter)
    .select(columns)
    .$if(below !== undefined, (query) => query.where('id', '<', below!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function countMatchingSubscribers(
  connection: Connection,
  filter: SubscriberFilter,
): Promise<number> {
  const { count } = await matching(connection, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** By the primary key in the end: a walk over a million rows takes a fraction of a second, so no index is kept for it. */
function matching(connection: Connection, { state, since, until }: SubscriberFilter) {
  return connection
    .selectFrom('subscribers')
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(since !== undefined, (query) => query.where('signed_up_at', '>=', since!))
    .$if(until !== undefined, (query) => query.where('signed_up_at', '<', until!))
}

export async function findByIdentity(
  connection: Connection,
  identity: string,
): Promise<ListedSubscriber | undefined> {
  return connection
    .selectFrom('subscribers')
    .select(columns)
    .where('identity', '=', identity)
    .executeTakeFirst()
}

export async function countSubscribers(connection: Connection): Promise<Record<SubscriberState, number>> {
  const rows = await connection
    .selectFrom('subscribers')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  const counts = { active: 0, unsubscribed: 0, undeliverable: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

/** Returns the highest number so far. */
export async function newestSubscriber(connection: Connection): Promise<number> {
  const row = await connection
    .selectFrom('subscribers')
    .select((select) => select.fn.max('id').as('newest'))
    .executeTakeFirst()
  return row?.newest ?? 0
}

/**
 * Returns those of a range of numbers who never opened their page, whose last mail is from before `mailedBefore`, and who
 * have none on its way. By range, so that no query looks at the whole list.
 */
export async function findUnopened(
  connection: Connection,
  mailedBefore: number,
  { after, upTo }: { after: number; upTo: number },
): Promise<number[]> {
  const rows = await connection
    .selectFrom('subscribers')
    .select('id')
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where('opened_at', 'is', null)
    .where('last_mailed_at', '<', mailedBefore)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('subscriber', '=', 'subscribers.id')
            .where('deliveries.state', 'in', ['queued', 'sending']),
        ),
      ),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
