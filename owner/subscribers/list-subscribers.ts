import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { EmailAddress } from '#contract/email-address.ts'
import type { Reader } from '#server/database/database.ts'
import type { Subscriber, SubscriberState } from '#server/subscribers/subscribers.ts'
import { CommandError, type ListFilter } from '../command-line/command-context.ts'

export const subscriberStates = ['active', 'unsubscribed', 'undeliverable', 'blocked'] as const

/** The columns of lists and exports. Names that end in `_at` are times, in ms since 1970. */
export const subscriberColumns = [
  'id',
  'address',
  'state',
  'signed_up_at',
  'last_mailed_at',
  'left_at',
  'form',
  'campaign',
  'language',
  'wording',
  'announcements_agreed_at',
  'announcements_wording',
  'announcements_cover',
] as const
const listed = raw(
  subscriberColumns
    .join(', ')
    .replace('last_mailed_at', 'nullif(last_mailed_at, 0) as last_mailed_at'),
)

type ListedColumn = (typeof subscriberColumns)[number]

export interface ListedSubscriber extends Omit<Pick<Subscriber, ListedColumn>, 'last_mailed_at'> {
  /** Null: never. */
  last_mailed_at: number | null
}

/** `since`, `until`: the time of their sign-up. */
export interface SubscriberFilter extends ListFilter<SubscriberState> {
  /** Only active people who turned mail about what comes next on. */
  isConsented?: boolean | undefined
  /** Any part of an address. */
  text?: string | undefined
  /** `none`: none was named. */
  campaign?: string | undefined
}

function matching(filter: SubscriberFilter): Sql {
  const {
    state,
    since = 0,
    until = Number.MAX_SAFE_INTEGER,
    isConsented,
    text = '',
    campaign,
  } = filter
  const part = text.toLowerCase().replaceAll(/[%_\\]/g, '\\$&')
  const conditions = [
    sql`signed_up_at >= ${since} and signed_up_at < ${until}`,
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(isConsented ? [sql`state = 'active' and announcements_agreed_at is not null`] : []),
    ...(part === '' ? [] : [sql`identity like ${`%${part.trim()}%`} escape '\\'`]),
    ...(campaign === undefined ? [] : [sql`coalesce(campaign, 'none') = ${campaign}`]),
  ]
  return join(conditions, ' and ')
}

/** Numbers of subscribers that one turn reads, and writes as CSV: a few milliseconds. */
const pieceIds = 500

/**
 * Reads the subscribers `s` with numbers above `after` in pieces, in order of the numbers. Between
 * two of them the server does other work.
 */
export async function* pieces<Row>(reader: Reader, select: (isInPiece: Sql) => Sql, after = 0) {
  const newest = await reader.row<{ id: number | null }>(sql`select max(id) as id from subscribers`)
  for (let from = after; from < (newest?.id ?? 0); from += pieceIds) {
    yield await reader.rows<Row>(select(sql`s.id > ${from} and s.id <= ${from + pieceIds}`))
    await nextTurn()
  }
}

/**
 * Yields all that match in order of their number, page by page. No transaction stays open
 * meanwhile.
 */
export function pagesOfSubscribers(reader: Reader, filter: SubscriberFilter) {
  const select = (isInPiece: Sql) => sql`
    select ${listed} from subscribers s where ${isInPiece} and ${matching(filter)} order by id`
  return pieces<ListedSubscriber>(reader, select)
}

/** Counts all that match, in pieces. */
export async function countSubscribers(reader: Reader, filter: SubscriberFilter): Promise<number> {
  const select = (isInPiece: Sql) => sql`
    select count(*) as count from subscribers s where ${isInPiece} and ${matching(filter)}`
  let total = 0
  for await (const [row] of pieces<{ count: number }>(reader, select)) total += row?.count ?? 0
  return total
}

/** Those added last come first. The next page has numbers `below` the last one. */
export function newestSubscribers(
  reader: Reader,
  filter: SubscriberFilter,
  limit: number,
  below: number,
) {
  return reader.rows<ListedSubscriber>(sql`
    select ${listed} from subscribers where ${matching(filter)} and id < ${below} order by id desc limit ${limit}`)
}

export async function findByAddress(reader: Reader, { identity, address }: EmailAddress) {
  const found = await reader.row<ListedSubscriber>(
    sql`select ${listed} from subscribers where identity = ${identity}`,
  )
  if (!found) throw new CommandError(`${address} is not on the list.`)
  return found
}

const peopleRows = 50

/**
 * Returns a page of up to 50 people, counted from 0, by the time of their sign-up, and how many
 * match. `mail`: the state of the newest mail to them.
 */
export async function findPeople(reader: Reader, filter: SubscriberFilter, page = 0) {
  const select = (isInPiece: Sql) => sql`
    select id, signed_up_at as at from subscribers s where ${isInPiece} and ${matching(filter)}`
  const end = (page + 1) * peopleRows
  let total = 0
  let newest: { id: number; at: number }[] = []
  for await (const piece of pieces<(typeof newest)[number]>(reader, select)) {
    total += piece.length
    // Piece by piece: one sort of all would hold the server up.
    newest = [...newest, ...piece].toSorted((a, b) => b.at - a.at || b.id - a.id).slice(0, end)
  }
  const ids = newest.slice(page * peopleRows).map(({ id }) => id)
  if (ids.length === 0) return { people: [], total }
  const people = await reader.rows<ListedSubscriber & { mail: string | null }>(sql`
    select ${listed}, (select state from deliveries where subscriber = s.id order by id desc limit 1) as mail
    from subscribers s where id in (${join(ids)}) order by signed_up_at desc, id desc`)
  return { people, total }
}

const campaignsShown = 50

/** Counts people by state, and finds the campaigns that brought most. */
export async function countOnTheList(reader: Reader) {
  const counts = { active: 0, unsubscribed: 0, undeliverable: 0, blocked: 0 }
  let wantNews = 0
  const campaigns = new Map<string, number>()
  const select = (isInPiece: Sql) => sql`
    select coalesce(campaign, 'none') as campaign, state, count(*) as "all", count(announcements_agreed_at) as agreed
    from subscribers s where ${isInPiece} group by campaign, state`
  type Group = { campaign: string; state: SubscriberState; all: number; agreed: number }
  for await (const groups of pieces<Group>(reader, select)) {
    for (const { campaign, state, all, agreed } of groups) {
      counts[state] += all
      if (state === 'active') wantNews += agreed
      campaigns.set(campaign, (campaigns.get(campaign) ?? 0) + all)
    }
  }
  const most = [...campaigns].toSorted(([, a], [, b]) => b - a).slice(0, campaignsShown)
  return { counts, wantNews, campaigns: most.map(([name]) => name) }
}

/**
 * Everything that the owner may see about a subscriber. `words`, `newsWords`, as JSON: those of the
 * page where they signed up, and those beside the switch for news.
 */
export function readPerson(reader: Reader, id: number) {
  return reader.row<ListedSubscriber & { words: string | null; newsWords: string | null }>(sql`
    select ${listed}, (select content from wordings where hash = s.wording) as words,
      (select content from wordings where hash = s.announcements_wording) as "newsWords"
    from subscribers s where id = ${id}`)
}
