import type { Connection } from '#server/database/database.ts'
import { readBacklog } from '#server/deliveries/backlog.ts'
import { countDeliveries, countFaultsSince } from '../deliveries/list-deliveries.ts'
import { readErasedCount } from '#server/subscribers/leave-the-list.ts'
import { countSubscribers } from '#server/subscribers/list-subscribers.ts'

export type CurrentState = Awaited<ReturnType<typeof readCurrentState>>

export const faultDays = 7
const faultsMs = faultDays * 24 * 60 * 60_000

/** What the rows tell at the moment, whatever was counted. `now`: ms since 1970. */
export async function readCurrentState(connection: Connection, now: number) {
  const { overdueSince } = await readBacklog(connection, now)
  return {
    subscribers: { ...(await countSubscribers(connection)), erased: await readErasedCount(connection) },
    deliveries: await countDeliveries(connection),
    overdueSeconds: Math.round((now - (overdueSince ?? now)) / 1000),
    faultsOfLast7Days: await countFaultsSince(connection, now - faultsMs),
  }
}
