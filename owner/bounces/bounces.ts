import { parseEmailAddress } from '#contract/email-address.ts'
import { type Bounce, markBounced } from './mark-bounced.ts'
import type { Config } from '#server/config.ts'
import type { Call, Command } from '../command-line/command.ts'
import { withDatabase } from '../command-line/owned-database.ts'
import { readBounces } from './read-bounces.ts'

export const bounceCommands: Command[] = [
  {
    name: 'bounces import',
    takes: ['FILE'],
    does: 'marks the addresses in a list or CSV of bounces as undeliverable, and cancels their mail',
    example: 'bounces import data/bounces.csv',
    run: importBounces,
  },
]

const groupSize = 500

/** A group at a time, so that a long file needs no more memory than a short one. */
async function importBounces({ config, words: [file = ''], now, write }: Call): Promise<void> {
  const counts = { read: 0, marked: 0, cancelled: 0, leftAlone: 0 }
  const own = ownIdentities(config)
  await withDatabase(config, async (database) => {
    let group: Bounce[] = []
    const markGroup = async () => {
      const { marked, cancelled } = await markBounced(database, group, now())
      counts.marked += marked
      counts.cancelled += cancelled
      group = []
    }
    for await (const { identities, isPermanent } of readBounces(file)) {
      counts.read += identities.length
      if (!isPermanent) counts.leftAlone += identities.length
      else for (const identity of identities) if (!own.has(identity)) group.push({ identity })
      if (group.length >= groupSize) await markGroup()
    }
    await markGroup()
  })
  await write(
    `${counts.read} addresses read, ${counts.marked} marked as undeliverable, ${counts.cancelled} waiting mails cancelled.\n`,
  )
  if (counts.leftAlone > 0)
    await write(
      `${counts.leftAlone} left as they were: the file does not call their bounce a permanent one.\n`,
    )
}

/** They stand in many a report, as sender or as who is told. */
function ownIdentities({ mailFrom, supportEmail }: Config): Set<string> {
  return new Set(
    [mailFrom.address, supportEmail].flatMap((address) => parseEmailAddress(address)?.identity ?? []),
  )
}
