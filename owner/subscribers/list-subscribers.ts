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
const peopleRows = 50

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

/** No index is needed: a hundred thousand rows are read within some hundredths of a second, the text of addresses included. */
function matching(connection: Connection, filter: SubscriberFilter) {
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

export async function findByIdentity(connection: Connection, identity: string) {
  return connection
    .selectFrom('subscribers')
    .select(subscriberColumns)
    .where('identity', '=', identity)
    .executeTakeFirst()
}

/** Returns up to 50 people, the newest first, with numbers `below` or `above` one. `mail`: the newest one to each. */
export async function findPeople(
  connection: Connection,
  filter: SubscriberFilter,
  { below, above }: { below?: number | undefined; above?: number | undefined },
) {
  const found = await matching(connection, filter)
    .select(['id', 'address', 'state', 'form', 'campaign', 'announcements_agreed_at as agreedAt'])
    .select('signed_up_at as signedUpAt')
    .$if(below !== undefined, (query) => query.where('id', '<', below!))
    .$if(above !== undefined, (query) => query.where('id', '>', above!))
    .orderBy('id', above === undefined ? 'desc' : 'asc')
    .limit(peopleRows)
    .execute()
  const ids = found.map(({ id }) => id)
  const mails = await newestMailTo(connection, ids)
  return found
    .map(({ agreedAt, ...one }) => ({
      ...one,
      wantsNews: agreedAt !== null,
      mail: mails.get(one.id) ?? null,
    }))
    .toSorted((a, b) => b.id - a.id)
}

/** Counts all who match, and those with a number above `id`. */
export async function countPeople(
  connection: Connection,
  filter: SubscriberFilter,
  id = Number.MAX_SAFE_INTEGER,
) {
  return matching(connection, filter)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .select(({ fn }) => fn.countAll<number>().filterWhere('id', '>', id).as('newer'))
    .executeTakeFirstOrThrow()
}

/** Counts people by state, and finds the 50 campaigns that brought most, in one scan of the list. */
export async function countOnTheList(connection: Connection) {
  const counts = { active: 0, wantNews: 0, left: 0, undeliverable: 0 }
  const { rows } = await sql<typeof counts & { campaign: string | null }>`
    select campaign, count(*) filter (where state = 'active') as "active",
      count(*) filter (where state = 'active' and announcements_agreed_at is not null) as "wantNews",
      count(*) filter (where state = 'unsubscribed') as "left",
      count(*) filter (where state = 'undeliverable') as "undeliverable"
    from subscribers group by campaign order by count(*) desc`.execute(connection)
  for (const row of rows) {
    counts.active += row.active
    counts.wantNews += row.wantNews
    counts.left += row.left
    counts.undeliverable += row.undeliverable
  }
  return { counts, campaigns: rows.flatMap(({ campaign }) => campaign ?? []).slice(0, 50) }
}

/** The state and the time of the newest delivery to each of these subscribers. */
async function newestMailTo(connection: Connection, subscribers: readonly number[]) {
  const rows = await connection
    .selectFrom('deliveries')
    .select(({ fn }) => ['subscriber', 'state', fn.coalesce('finished_at', 'queued_at').as('at')])
    .where('id', 'in', (query) =>
      query
        .selectFrom('deliveries')
        .select(({ fn }) => fn.max('id').as('newest'))
        .where('subscriber', 'in', [0, ...subscribers]) // no list may be empty
        .groupBy('subscriber'),
    )
    .execute()
  return new Map(rows.map(({ subscriber, ...mail }) => [subscriber, mail]))
}
