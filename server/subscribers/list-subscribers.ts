import type { Connection } from '../database/json-rows.ts'
import type { Tables } from '../database/tables.ts'

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

const pageRows = 1_000
const columns = ['id', 'address', 'state', 'signed_up_at', 'last_mailed_at', 'opened_at'] as const

/** All of them in order of sign-up, page by page, so that a long list needs no more memory than a short one. */
export async function* pagesOfSubscribers(connection: Connection, state?: SubscriberState) {
  let after = 0
  for (;;) {
    const page: ListedSubscriber[] = await connection
      .selectFrom('subscribers')
      .select(columns)
      .where('id', '>', after)
      .$if(state !== undefined, (query) => query.where('state', '=', state!))
      .orderBy('id')
      .limit(pageRows)
      .execute()
    if (page.length > 0) yield page
    if (page.length < pageRows) return
    after = page.at(-1)!.id
  }
}

export async function newestSubscribers(
  connection: Connection,
  limit: number,
  state?: SubscriberState,
): Promise<ListedSubscriber[]> {
  return connection
    .selectFrom('subscribers')
    .select(columns)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
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

export async function countSignUpsSince(connection: Connection, since: number): Promise<number> {
  const { count } = await connection
    .selectFrom('subscribers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('signed_up_at', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Up to `limit` who never opened their page although their last mail is from before `mailedBefore`, and none is on its way. */
export async function findUnopened(
  connection: Connection,
  mailedBefore: number,
  limit: number,
): Promise<number[]> {
  const rows = await connection
    .selectFrom('subscribers')
    .select('id')
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
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
