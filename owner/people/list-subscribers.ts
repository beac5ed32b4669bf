import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { join, type Sql } from 'sql-template-tag'
import type { EmailAddress } from '#contract/email-address.ts'
import type { Reader } from '#server/database/database.ts'
import type { Subscriber, SubscriberState } from '#server/subscribers/subscribers.ts'
import { CommandError } from '#owner/acts/errors.ts'
import type { DeliveryState } from '#owner/mail/list-deliveries.ts'
import { cameBy } from './campaigns.ts'
import { maxCounted } from './max-counted.ts'

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
] as const
const listed = sql`id, address, state, signed_up_at, (
    select max(queued_at) from deliveries
    where subscriber = subscribers.id and mailing is null
  ) as last_mailed_at,
  left_at, form, campaign, language, wording, announcements_agreed_at, announcements_wording`

type ListedColumn = (typeof subscriberColumns)[number]

export interface ListedSubscriber extends Pick<
  Subscriber,
  Exclude<ListedColumn, 'last_mailed_at'>
> {
  /** The time at which the newest starter mail was queued, or null. */
  last_mailed_at: number | null
}

/** `since`, `until`: the time of their sign-up, in ms since 1970; the end is left out. */
export interface SubscriberFilter {
  state?: SubscriberState | undefined
  since?: number | undefined
  until?: number | undefined
  /** Leaves out active people who did not ask for mail about what comes next. */
  isConsented?: boolean | undefined
  /** Any part of an address. */
  text?: string | undefined
  /** `none`: none was named. */
  campaign?: string | undefined
}

/** A condition stands in the query only if it is asked for: each may lead to another index. */
function matching({ state, since, until, isConsented, text, campaign }: SubscriberFilter): Sql {
  const part = (text ?? '').trim().toLowerCase()
  const conditions = [sql`true`]
  if (since !== undefined) conditions.push(sql`signed_up_at >= ${since}`)
  if (until !== undefined) conditions.push(sql`signed_up_at < ${until}`)
  if (state !== undefined) conditions.push(sql`state = ${state}`)
  if (isConsented) {
    conditions.push(sql`(state <> 'active' or announcements_agreed_at is not null)`)
  }
  if (part !== '') conditions.push(sql`identity like ${`%${escapeLike(part)}%`} escape '\\'`)
  if (campaign !== undefined) conditions.push(cameBy([campaign]))
  return join(conditions, ' and ')
}

function escapeLike(text: string): string {
  return text.replaceAll(/[%_\\]/g, '\\$&')
}

/** People that are read, and written as CSV, at a time: a few milliseconds. */
const pageRows = 200

/**
 * Yields all that match in order of their number, page by page. No transaction stays open
 * meanwhile, and between two pages the server does other work.
 */
export async function* pagesOfSubscribers(
  reader: Reader,
  filter: SubscriberFilter,
): AsyncGenerator<ListedSubscriber[]> {
  let after = 0
  while (true) {
    const page = await reader.rows<ListedSubscriber>(sql`
      select ${listed} from subscribers where id > ${after} and ${matching(filter)}
      order by id limit ${pageRows}`)
    const last = page.at(-1)
    if (!last) return
    yield page
    after = last.id
    await nextTurn()
  }
}

export async function countSubscribers(reader: Reader, filter: SubscriberFilter): Promise<number> {
  const row = await reader.row<{ count: number }>(sql`
    select count(*) as count from subscribers where ${matching(filter)}`)
  return row!.count
}

export async function findByAddress(
  reader: Reader,
  { identity, address }: EmailAddress,
): Promise<ListedSubscriber> {
  const found = await reader.row<ListedSubscriber>(
    sql`select ${listed} from subscribers where identity = ${identity}`,
  )
  if (!found) throw new CommandError(`${address} is not on the list.`)
  return found
}

const peopleRows = 50

/**
 * The place of somebody in the list of the newest sign-ups. `at`: of the sign-up, ms since 1970.
 */
export interface PlaceInList {
  at: number
  id: number
}

export interface FoundSubscriber extends ListedSubscriber {
  /** The state of the newest mail to them. Null: there is none. */
  mail: DeliveryState | null
}

/** A page of up to 50 people, by the time of their sign-up. */
export interface FoundPeople {
  people: FoundSubscriber[]
  /** The place of the last one on the page, if there are more. */
  last: PlaceInList | null
}

/**
 * Finds the newest sign-ups, or those after a place in the list. The index of the newest has all
 * that is asked for: the page is complete as soon as it is full, and a search for nobody reads the
 * index alone.
 */
export async function findPeople(
  reader: Reader,
  filter: SubscriberFilter,
  after: PlaceInList | null = null,
): Promise<FoundPeople> {
  const isAfter = after === null ? sql`true` : sql`(signed_up_at, id) < (${after.at}, ${after.id})`
  const found = await reader.rows<PlaceInList>(sql`
    select signed_up_at as at, id from subscribers where ${isAfter} and ${matching(filter)}
    order by signed_up_at desc, id desc limit ${peopleRows + 1}`)
  const page = found.slice(0, peopleRows)
  if (page.length === 0) return { people: [], last: null }
  const people = await reader.rows<FoundSubscriber>(sql`
    select ${listed}, (
      select state from deliveries where subscriber = subscribers.id order by id desc limit 1
    ) as mail
    from subscribers where id in (${join(page.map(({ id }) => id))})
    order by signed_up_at desc, id desc`)
  return { people, last: found.length > peopleRows ? page.at(-1)! : null }
}

/** Returns how many people match; `maxCounted + 1` stands for any larger number. */
export async function countFound(reader: Reader, filter: SubscriberFilter): Promise<number> {
  const row = await reader.row<{ count: number }>(sql`
    select count(*) as count from (
      select 1 from subscribers where ${matching(filter)} limit ${maxCounted + 1}
    ) as found`)
  return row!.count
}

/** How many people are in each state. `wantNews`: active people who agreed to news. */
export interface ListTotals extends Record<SubscriberState, number> {
  wantNews: number
}

/** Reads one index from end to end, in its order: 0.1 s for a million people. */
export async function countOnTheList(reader: Reader): Promise<ListTotals> {
  const groups = await reader.rows<{ state: SubscriberState; people: number; agreed: number }>(sql`
    select state, count(*) as people, count(announcements_agreed_at) as agreed
    from subscribers group by campaign, state`)
  const totals = { active: 0, unsubscribed: 0, undeliverable: 0, blocked: 0, wantNews: 0 }
  for (const { state, people, agreed } of groups) {
    totals[state] += people
    if (state === 'active') totals.wantNews += agreed
  }
  return totals
}

/** Everything that the owner may see about a subscriber. */
export interface Person extends ListedSubscriber, Pick<Subscriber, 'version'> {
  /** Those of the page where they signed up, as JSON. */
  words: string | null
  /** Those beside the switch for news, as JSON. */
  newsWords: string | null
}

export function readPerson(reader: Reader, id: number): Promise<Person | undefined> {
  return reader.row<Person>(sql`
    select ${listed}, version,
      (select content from wordings where hash = subscribers.wording) as words,
      (select content from wordings where hash = subscribers.announcements_wording) as "newsWords"
    from subscribers where id = ${id}`)
}
