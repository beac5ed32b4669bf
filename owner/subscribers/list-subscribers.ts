import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import type { Subscriber, SubscriberState } from '#server/subscribers/subscribers.ts'
import type { ListFilter } from '../command-line/options.ts'

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
const listed = raw(subscriberColumns.join(', '))

export type ListedSubscriber = Pick<Subscriber, (typeof subscriberColumns)[number]>

/** `since`, `until`: the time of their sign-up. */
export interface SubscriberFilter extends ListFilter<SubscriberState> {
  /** Only those who turned mail about what comes next on. */
  isConsented?: boolean | undefined
  /** Any part of an address. */
  text?: string | undefined
  /** `none`: none was named. */
  campaign?: string | undefined
}

function matching({ state, since, until, isConsented, text, campaign }: SubscriberFilter): Sql {
  const conditions = [
    sql`1 = 1`,
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(since === undefined ? [] : [sql`signed_up_at >= ${since}`]),
    ...(until === undefined ? [] : [sql`signed_up_at < ${until}`]),
    ...(isConsented ? [sql`announcements_agreed_at is not null`] : []),
    ...(text === undefined ? [] : [contains(text.trim())]),
    ...(campaign === undefined ? [] : [sql`coalesce(campaign, 'none') = ${campaign}`]),
  ]
  return join(conditions, ' and ')
}

function contains(text: string): Sql {
  const part = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll(/[%_\\]/g, '\\$&')
  return sql`identity like ${`%${part}%`} escape '\\'`
}

/** Numbers of subscribers that one turn reads, and writes as CSV: a few milliseconds. */
const pieceIds = 500

/**
 * Reads the subscribers `s` with numbers above `after` in pieces, in order of the numbers. Between two of them the server does
 * other work.
 */
export async function* pieces<Row>(
  reader: Reader,
  select: (isInPiece: Sql) => Sql,
  after = 0,
): AsyncGenerator<Row[]> {
  const newest = await reader.row<{ id: number | null }>(sql`select max(id) as id from subscribers`)
  for (let from = after; from < (newest?.id ?? 0); from += pieceIds) {
    yield await reader.rows<Row>(select(sql`s.id > ${from} and s.id <= ${from + pieceIds}`))
    await nextTurn()
  }
}

/** Yields all that match in order of their number, page by page. No transaction stays open meanwhile. */
export function pagesOfSubscribers(reader: Reader, filter: SubscriberFilter) {
  return pieces<ListedSubscriber>(
    reader,
    (isInPiece) => sql`
      select ${listed} from subscribers s where ${isInPiece} and ${matching(filter)} order by id`,
  )
}

/** Those added last come first. The next page has numbers `below` the last one. */
export function newestSubscribers(
  reader: Reader,
  filter: SubscriberFilter,
  limit: number,
  below = Number.MAX_SAFE_INTEGER,
): Promise<ListedSubscriber[]> {
  return reader.rows(sql`
    select ${listed} from subscribers where ${matching(filter)} and id < ${below} order by id desc limit ${limit}`)
}

export function findByIdentity(reader: Reader, identity: string): Promise<ListedSubscriber | undefined> {
  return reader.row(sql`select ${listed} from subscribers where identity = ${identity}`)
}

export interface FoundPerson {
  id: number
  address: string
  state: SubscriberState
  form: string | null
  campaign: string | null
  signedUpAt: number
  wantsNewsSince: number | null
  /** The state of the newest mail to them. */
  mail: string | null
}

const peopleRows = 50

/** Returns a page of up to 50 people, counted from 0, by the time of their sign-up, and how many match. */
export async function findPeople(
  reader: Reader,
  filter: SubscriberFilter,
  page = 0,
): Promise<{ people: FoundPerson[]; total: number }> {
  const end = (page + 1) * peopleRows
  let total = 0
  let found: { id: number; at: number }[] = []
  const newest = () => found.toSorted((a, b) => b.at - a.at || b.id - a.id).slice(0, end)
  const select = (isInPiece: Sql) => sql`
    select id, signed_up_at as at from subscribers s where ${isInPiece} and ${matching(filter)}`
  for await (const piece of pieces<(typeof found)[number]>(reader, select)) {
    total += piece.length
    found.push(...piece)
    if (found.length > 2 * end + pieceIds) found = newest() // all at the end would take 20 ms
  }
  return { people: await describePeople(reader, newest().slice(page * peopleRows)), total }
}

async function describePeople(reader: Reader, shown: readonly { id: number }[]): Promise<FoundPerson[]> {
  if (shown.length === 0) return []
  return reader.rows(sql`
    select s.id, s.address, s.state, s.form, s.campaign, s.signed_up_at as "signedUpAt",
      s.announcements_agreed_at as "wantsNewsSince", d.state as mail
    from subscribers s left join deliveries d on d.id = (select max(id) from deliveries where subscriber = s.id)
    where s.id in (${join(shown.map(({ id }) => id))}) order by s.signed_up_at desc, s.id desc`)
}

const campaignsShown = 50

/** Counts people by state, and finds the campaigns that brought most. */
export async function countOnTheList(reader: Reader) {
  const counts = { active: 0, unsubscribed: 0, undeliverable: 0, blocked: 0, wantNews: 0 }
  const campaigns = new Map<string, number>()
  const select = (isInPiece: Sql) => sql`
    select campaign, state, count(*) as "all", count(announcements_agreed_at) as agreed
    from subscribers s where ${isInPiece} group by campaign, state`
  type Group = { campaign: string | null; state: SubscriberState; all: number; agreed: number }
  for await (const groups of pieces<Group>(reader, select))
    for (const { campaign, state, all, agreed } of groups) {
      counts[state] += all
      if (state === 'active') counts.wantNews += agreed
      if (campaign !== null && campaign !== 'none')
        campaigns.set(campaign, (campaigns.get(campaign) ?? 0) + all)
    }
  const most = [...campaigns].toSorted(([, a], [, b]) => b - a).slice(0, campaignsShown)
  return { counts, campaigns: most.map(([name]) => name) }
}

/** Everything that the owner may see about a subscriber. Times are ms since 1970. */
interface Person extends Omit<FoundPerson, 'mail'> {
  language: string | null
  leftAt: number | null
  newsCover: Subscriber['announcements_cover']
  /** As JSON: the words of the page where they signed up, and those beside the switch for news. */
  words: string | null
  newsWords: string | null
}

/** Undefined: there is none with this number. */
export function readPerson(reader: Reader, id: number): Promise<Person | undefined> {
  return reader.row<Person>(sql`
    select s.id, s.address, s.state, s.form, s.campaign, s.language, s.signed_up_at as "signedUpAt",
      s.left_at as "leftAt", s.announcements_agreed_at as "wantsNewsSince",
      s.announcements_cover as "newsCover",
      w.content as words, n.content as "newsWords"
    from subscribers s left join wordings w on w.hash = s.wording
      left join wordings n on n.hash = s.announcements_wording
    where s.id = ${id}`)
}
