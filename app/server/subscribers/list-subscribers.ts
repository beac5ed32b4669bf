import type { Connection, Tables } from '../database/database.ts'

export async function countSubscribers(
  connection: Connection,
): Promise<Record<Tables['subscribers']['state'], number>> {
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
