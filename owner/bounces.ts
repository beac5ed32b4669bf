import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Database } from '#server/database/open-database.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { findByIdentity } from '#server/subscribers/list-subscribers.ts'
import type { Call, Command } from './command.ts'
import { withDatabase } from './owned-database.ts'

export const bounceCommands: Command[] = [
  {
    name: 'bounces import',
    takes: ['FILE'],
    does: 'marks the addresses in a list or CSV of bounces as undeliverable, and cancels their mail',
    run: importBounces,
  },
]

async function importBounces({ config, words: [file = ''], now, write }: Call): Promise<void> {
  const identities = await readIdentities(file)
  const counts = { marked: 0, cancelled: 0 }
  await withDatabase(config, async (database) => {
    for (const identity of identities) await markOne(database, identity, now(), counts)
  })
  await write(
    `${identities.size} addresses read, ${counts.marked} marked as undeliverable, ${counts.cancelled} waiting mails cancelled.\n`,
  )
}

/** Every address in the file, whatever stands around it: a line each, or a column of a CSV file. */
async function readIdentities(file: string): Promise<Set<string>> {
  const identities = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    for (const word of line.split(/[\s,;"<>]+|mailto:/)) {
      const address = parseEmailAddress(word)
      if (address) identities.add(address.identity)
    }
  }
  return identities
}

async function markOne(
  database: Database,
  identity: string,
  now: number,
  counts: { marked: number; cancelled: number },
) {
  const subscriber = await findByIdentity(database.query, identity)
  if (subscriber?.state !== 'active') return
  const { cancelled } = await leaveTheList(database, subscriber.id, 'undeliverable', now)
  counts.marked += 1
  counts.cancelled += cancelled
}
