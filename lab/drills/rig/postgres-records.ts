import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** The rows at the end of the drill. */
export async function readPostgres(url: string) {
  return withClient(url, async (client) => {
    const addresses = await client.query<{ address: string }>('select address from subscribers')
    const deliveries = await client.query<{ message_id: string; state: string }>(
      'select message_id, state from deliveries',
    )
    const deadlocks = await client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    return {
      addresses: new Set(addresses.rows.map(({ address }) => address)),
      messageIds: new Set(deliveries.rows.map(({ message_id }) => message_id)),
      notSent: deliveries.rows.filter(({ state }) => state !== 'sent').length,
      deadlocks: Number(deadlocks.rows[0]?.deadlocks),
    }
  })
}

export async function untilPostgresOwesNothing(url: string, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  await withClient(url, async (client) => {
    for (;;) {
      const { rowCount } = await client.query(
        `select 1 from deliveries where state in ('queued', 'sending') limit 1`,
      )
      if (rowCount === 0) return
      if (performance.now() > deadline) throw new Error('Mail is still owed')
      await sleep(100)
    }
  })
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
