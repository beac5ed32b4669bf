import { sql } from 'kysely'
import type { Connection } from '#server/database/database.ts'
import { matching, type SubscriberFilter } from './list-subscribers.ts'

/** Numbers: people `below` one, or `above` one. */
export interface PageOfPeople {
  below?: number | undefined
  above?: number | undefined
}

type CountedState = 'active' | 'wantNews' | 'left' | 'undeliverable'

const pageRows = 50
const columns = [
  'id',
  'address',
  'state',
  'form',
  'campaign',
  'signed_up_at',
  'announcements_agreed_at',
] as const

/** The newest first, 50 at most. */
export async function findPeople(
  connection: Connection,
  filter: SubscriberFilter,
  { below, above }: PageOfPeople,
) {
  const page = matching(connection, filter)
    .select(columns)
    .$if(below !== undefined, (query) => query.where('id', '<', below!))
    .$if(above !== undefined, (query) => query.where('id', '>', above!))
    .orderBy('id', above === undefined ? 'desc' : 'asc')
    .limit(pageRows)
  const found = await page.execute()
  return above === undefined ? found : found.toReversed()
}

/** All who match, and those of them with a number above `id`. */
export async function countPeople(connection: Connection, filter: SubscriberFilter, id: number) {
  return matching(connection, filter)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .select(({ fn }) => fn.countAll<number>().filterWhere('id', '>', id).as('newer'))
    .executeTakeFirstOrThrow()
}

/** By state, and the campaigns that brought most people: in one look at the list. */
export async function countOnTheList(connection: Connection) {
  const { rows } = await sql<Record<CountedState, number> & { campaign: string | null; people: number }>`
    select campaign, count(*) as "people", count(*) filter (where state = 'active') as "active",
      count(*) filter (where state = 'active' and announcements_agreed_at is not null) as "wantNews",
      count(*) filter (where state = 'unsubscribed') as "left",
      count(*) filter (where state = 'undeliverable') as "undeliverable"
    from subscribers group by campaign order by count(*) desc`.execute(connection)
  const total = (state: CountedState) => rows.reduce((sum, row) => sum + row[state], 0)
  return {
    counts: {
      active: total('active'),
      wantNews: total('wantNews'),
      left: total('left'),
      undeliverable: total('undeliverable'),
    },
    campaigns: rows.flatMap(({ campaign }) => campaign ?? []).slice(0, 50),
  }
}

/** The state and time of the newest delivery to each of these subscribers. */
export async function newestMailTo(connection: Connection, subscribers: readonly number[]) {
  const rows = await connection
    .selectFrom('deliveries')
    .select(['subscriber', 'state', 'queued_at', 'finished_at'])
    .where('id', 'in', (query) =>
      query
        .selectFrom('deliveries')
        .select(({ fn }) => fn.max('id').as('newest'))
        .where('subscriber', 'in', [0, ...subscribers]) // no list may be empty
        .groupBy('subscriber'),
    )
    .execute()
  return new Map(rows.map((row) => [row.subscriber, row]))
}
