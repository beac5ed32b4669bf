import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { type Connection, jsonList, jsonRows } from '#server/database/database.ts'
import { readSetting, settingNames } from '#server/database/settings.ts'
import { findBlocked } from '#server/subscribers/blocked-addresses.ts'
import { abuseKey } from '#server/subscribers/subscribers.ts'
import type { CommandContext } from '../command-line/command-context.ts'
import { addCommand } from '../command-line/options.ts'
import { plainText } from '../command-line/output.ts'
import { configOf, withDatabase } from '../command-line/owned-database.ts'
import { startProgress } from '../command-line/progress-bar.ts'
import { inBatches } from '../command-line/in-batches.ts'
import { type ImportedPerson, type ImportRow, readImport } from './read-import.ts'

export function addImportCommand(subscribers: Command, context: CommandContext): void {
  const description =
    'Put the people in a CSV file on the list. Nobody is mailed, and who is on it stays as they are'
  addCommand(subscribers, 'import', description, 'data/people.csv')
    .argument('<FILE>', 'Its first line names the columns: email, and if you like announcements_agreed_at')
    .option('--dry-run', 'Say what would happen, and change nothing')
    .action((file: string, { dryRun = false }: { dryRun?: boolean }) =>
      importSubscribers(context, file, dryRun),
    )
}

async function importSubscribers(context: CommandContext, file: string, isDryRun: boolean): Promise<void> {
  const { now, write } = context
  const counts = { added: 0, known: 0, refused: 0 }
  await withDatabase(configOf(context), async ({ query }) => {
    const progress = startProgress(context, 'bytes', statSync(file).size)
    const secret = (await readSetting(query, settingNames.secret)) ?? '' // without one nobody was blocked
    const seen = new Set<number>()
    let bytesShown = 0
    try {
      for await (const rows of inBatches(readImport(file, now()))) {
        const { people, refusals } = await refuseBlocked(query, rows, secret, now())
        for (const { line, why } of refusals) await write(`Line ${line}: ${plainText(why)}.\n`)
        const added = isDryRun ? await countNew(query, people, seen) : await addNew(query, people, now())
        counts.added += added
        counts.known += people.length - added
        counts.refused += refusals.length
        const { bytes } = rows.at(-1)!
        progress.add(bytes - bytesShown)
        bytesShown = bytes
      }
    } finally {
      progress.end()
    }
  })
  const [would, added] = isDryRun ? ['Nothing was changed. ', 'would be added'] : ['', 'added']
  await write(
    `${would}${counts.added} ${added}, ${counts.known} on the list before, ${counts.refused} refused.\n`,
  )
}

/** Refuses blocked inboxes, too. A block outlives the erasure of its person, so the list alone does not show it. */
async function refuseBlocked(
  connection: Connection,
  rows: readonly ImportRow[],
  secret: string,
  now: number,
) {
  const inboxes = rows.flatMap((row) => (row.kind === 'person' ? [abuseKey(row.person.identity)] : []))
  const blocked = await findBlocked(connection, inboxes, secret, now)
  const people: ImportedPerson[] = []
  const refusals: { line: number; why: string }[] = []
  for (const row of rows)
    if (row.kind === 'refused') refusals.push(row)
    else if (!blocked.has(abuseKey(row.person.identity))) people.push(row.person)
    else refusals.push({ line: row.line, why: `the holder of "${row.person.address}" blocked our mail` })
  return { people, refusals }
}

/** Returns how many were not on the list before. They count as mailed now: maintenance may erase who never opens a page. */
async function addNew(connection: Connection, people: readonly ImportedPerson[], now: number) {
  // In one order everywhere, to avoid a deadlock.
  const sorted = people.toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
  const types = {
    identity: 'text',
    address: 'text',
    abuse_key: 'text',
    signed_up_at: 'bigint',
    announcements_agreed_at: 'bigint',
  } as const
  const rows = jsonRows(connection, sorted, types)
  const added = await sql`
    insert into subscribers (identity, address, abuse_key, state, signed_up_at, last_mailed_at, form, announcements_agreed_at)
    select identity, address, abuse_key, 'active', signed_up_at, ${now}, 'import', announcements_agreed_at
    from ${rows} as imported where true
    on conflict (identity) do nothing
    returning id`.execute(connection)
  return added.rows.length
}

/** Counts for a dry run. `seen` has 48 bits for each address of the batches before, which take less room than the text. */
async function countNew(connection: Connection, people: readonly ImportedPerson[], seen: Set<number>) {
  const identities = people.map(({ identity }) => identity)
  const known = await sql<{ identity: string }>`
    select identity from subscribers where identity in ${jsonList(connection, 'text', identities)}`.execute(
    connection,
  )
  const before = seen.size
  const onList = new Set(known.rows.map(({ identity }) => identity))
  for (const identity of identities)
    if (!onList.has(identity)) seen.add(Number(`0x${hash('sha1', identity).slice(0, 12)}`))
  return seen.size - before
}
