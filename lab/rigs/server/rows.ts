import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { isMailDue } from '#server/deliveries/deliveries.ts'

/** Everybody's state by address, such as `{ 'ada@example.com': 'active' }`. */
export async function subscriberStates(reader: Reader): Promise<Record<string, string>> {
  const rows = await reader.rows<{ address: string; state: string }>(
    sql`select address, state from subscribers`,
  )
  return Object.fromEntries(rows.map(({ address, state }) => [address, state]))
}

/** Every mail in the order in which it was queued. */
export function deliveriesIn(reader: Reader) {
  return reader.rows<{
    id: number
    address: string
    state: string
    priority: number
    failures: number
    due_at: number
    last_fault: string | null
    template: string
  }>(sql`
    select d.id, s.address, d.state, d.priority, d.failures, d.due_at, d.last_fault, d.template
    from deliveries d join subscribers s on s.id = d.subscriber order by d.id`)
}

export async function deliveryStates(reader: Reader): Promise<string[]> {
  return (await deliveriesIn(reader)).map(({ state }) => state)
}

/** Mail is due, or a worker has claimed some. `now`: ms since 1970. */
export async function isMailUnderWay(reader: Reader, now: number): Promise<boolean> {
  if (await isMailDue(reader, now)) return true
  const claimed = await reader.row(sql`select 1 from deliveries where state = 'sending'`)
  return claimed !== undefined
}

export async function countRows(
  reader: Reader,
): Promise<{ subscribers: number; deliveries: number }> {
  const row = await reader.row<{ subscribers: number; deliveries: number }>(sql`
    select (select count(*) from subscribers) as subscribers, (select count(*) from deliveries) as deliveries`)
  return { ...row! }
}
