import { type Selectable, sql } from 'kysely'
import { type Connection, isPostgres, type Tables } from '#server/database/database.ts'

export type SubscriberState = Tables['subscribers']['state']
export const subscriberStates: readonly SubscriberState[] = ['active', 'unsubscribed', 'undeliverable']

/** The columns of lists and exports. Names that end in `_at` are times, in ms since 1970. */
export const subscriberColumns = [
  'id',
  'address',
  'state',
  'signed_up_at',
  'last_mailed_at',
  'opened_at',
  'form',
  'campaign',
  'language',
  'wording',
  'announcements_agreed_at',
  'announcements_wording',
] as const

export type ListedSubscriber = Selectable<Pick<Tables['subscribers'], (typeof subscriberColumns)[number]>>

export interface SubscriberFilter {
  state?: SubscriberState | undefined
  /** Signed up then or later, in ms since 1970. */
  since?: number | undefined
  /** Signed up before. */
  until?: number | undefined
  /** Only those who turned the mail about new versions on. */
  isConsented?: boolean | undefined
  /** Any part of an address. */
  text?: string | undefined
  /** `none`: none was named. */
  campaign?: string | undefined
}

const pageRows = 1_000

/**
 * Yields all that match in order of sign-up, page by page. A long list needs no more memory than a short one, and no
 * transaction stays open, which would keep SQLite's log from being emptied.
 */
export async function* pagesOfSubscribers(connection: Connection, filter: SubscriberFilter) {
  let after = 0
  for (;;) {
    const page: ListedSubscriber[] = await matching(connection, filter)
      .select(subscriberColumns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageRows)
      .execute()
    if (page.length > 0) yield page
    if (page.length < pageRows) return
    after = page.at(-1)!.id
  }
}

/** The newest first. The next page has numbers `below` the last one. */
export async function newestSubscribers(
  connection: Connection,
  filter: SubscriberFilter,
  limit: number,
  below?: number,
): Promise<ListedSubscriber[]> {
  return matching(connection, filter)
    .select(subscriberColumns)
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

/** No index is needed: a hundred thousand rows are read within some hundredths of a second, the text of addresses included. */
export function matching(connection: Connection, filter: SubscriberFilter) {
  const { state, since, until, isConsented, text, campaign } = filter
  const contains = sql.raw(isPostgres(connection) ? 'strpos' : 'instr')
  const part = text?.trim().toLowerCase()
  return connection
    .selectFrom('subscribers')
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(since !== undefined, (query) => query.where('signed_up_at', '>=', since!))
    .$if(until !== undefined, (query) => query.where('signed_up_at', '<', until!))
    .$if(isConsented === true, (query) => query.where('announcements_agreed_at', 'is not', null))
    .$if(part !== undefined, (query) => query.where(sql<boolean>`${contains}(identity, ${part}) > 0`))
    .$if(campaign !== undefined, (query) =>
      query.where(sql<boolean>`coalesce(campaign, 'none') = ${campaign}`),
    )
}

export async function findByIdentity(
  connection: Connection,
  identity: string,
): Promise<ListedSubscriber | undefined> {
  return connection
    .selectFrom('subscribers')
    .select(subscriberColumns)
    .where('identity', '=', identity)
    .executeTakeFirst()
}
