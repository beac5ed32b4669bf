import { countDeliveries, countFaultsSince, overdueSince } from '#server/outbox/list-deliveries.ts'
import { readErasedCount } from '#server/subscribers/leave-the-list.ts'
import { countSignUpsSince, countSubscribers } from '#server/subscribers/list-subscribers.ts'
import type { Call, Command } from './command.ts'
import { withDatabase } from './owned-database.ts'
import { textTable } from './text-table.ts'

export const statsCommands: Command[] = [
  {
    name: 'stats',
    takes: [],
    does: 'how many, of what, since when',
    options: { json: 'boolean' },
    run: stats,
  },
]

const dayMs = 24 * 60 * 60_000

async function stats({ config, options, now, write }: Call): Promise<void> {
  const at = now()
  const found = await withDatabase(config, async ({ query }) => {
    return {
      subscribers: { ...(await countSubscribers(query)), erased: await readErasedCount(query) },
      signUps: {
        'last 24 hours': await countSignUpsSince(query, at - dayMs),
        'last 7 days': await countSignUpsSince(query, at - 7 * dayMs),
        'last 30 days': await countSignUpsSince(query, at - 30 * dayMs),
      },
      deliveries: await countDeliveries(query),
      overdueSeconds: Math.round((at - ((await overdueSince(query, at)) ?? at)) / 1000),
      faultsOfLast7Days: await countFaultsSince(query, at - 7 * dayMs),
    }
  })
  if (options['json']) return write(`${JSON.stringify(found, undefined, 2)}\n`)
  const { subscribers, signUps, deliveries, overdueSeconds, faultsOfLast7Days } = found
  await write(
    counts('Subscribers', subscribers) + counts('Sign-ups', signUps) + counts('Deliveries', deliveries),
  )
  if (overdueSeconds > 0) await write(`Longest overdue: ${overdueSeconds} s\n`)
  if (faultsOfLast7Days.length > 0)
    await write(
      `\nFaults of the last 7 days\n${textTable(faultsOfLast7Days.map(({ fault, state, count }) => ({ count, state, fault: fault ?? '' })))}`,
    )
}

function counts(title: string, numbers: Record<string, number>): string {
  const lines = Object.entries(numbers).map(
    ([name, count]) => `  ${name.padEnd(14)}${String(count).padStart(9)}\n`,
  )
  return `${title}\n${lines.join('')}`
}
