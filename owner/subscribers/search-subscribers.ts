import { sql } from 'kysely'
import type { Connection } from '#server/database/database.ts'
import { matching, type SubscriberFilter } from './list-subscribers.ts'

const pageRows = 50

/** The newest first, 50 at most: those with numbers `below` one or `above` one. `mail`: the newest to them. */
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
    .limit(pageRows)
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

/** All who match, and those of them with a number above `id`. */
export async function countPeople(connection: Connection, filter: SubscriberFilter, id: number) {
  return matching(connection, filter)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .select(({ fn }) => fn.countAll<number>().filterWhere('id', '>', id).as('newer'))
    .executeTakeFirstOrThrow()
}

/** By state, and the campaigns that brought most people, 50 at most: in one look at the list. */
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
