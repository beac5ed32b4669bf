import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { join } from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { abuseKey } from '#server/subscribers/subscribers.ts'
import type { ImportedPerson, RefusedLine } from './read-import.ts'

export type ImportContext = Pick<ServerContext, 'database' | 'now' | 'recordEvent'>

const batchSize = 100

/**
 * Puts people on the list, in batches. Nobody is mailed. A dry run only says what would happen. `known`: they were on the list
 * before, and stay as they are. `refused`: the holder of their inbox blocked our mail.
 */
export async function runImport(
  context: ImportContext,
  people: readonly ImportedPerson[],
  isDryRun: boolean,
  onBatch?: (people: number) => void,
): Promise<{ added: number; known: number; refused: RefusedLine[] }> {
  const blocked: RefusedLine[] = []
  const seen = new Set<string>()
  for (let start = 0; start < people.length; start += batchSize) {
    const batch = people.slice(start, start + batchSize)
    const work = (reader: Reader) => sortOut(reader, batch, seen)
    const { fresh, refused } = await (isDryRun
      ? work(context.database)
      : context.database.transaction(async (transaction) => {
          const sorted = await work(transaction)
          for (const person of sorted.fresh) await add(transaction, person, context)
          return sorted
        }))
    for (const { identity } of fresh) seen.add(identity)
    blocked.push(...refused)
    onBatch?.(batch.length)
    await nextTurn() // for other work of the server
  }
  return { added: seen.size, known: people.length - seen.size - blocked.length, refused: blocked }
}

/** Returns who is not on the list yet, and who must not be put on it. `seen`: the batches before. */
async function sortOut(reader: Reader, batch: readonly ImportedPerson[], seen: ReadonlySet<string>) {
  const identities = batch.map(({ identity }) => identity)
  const known = await reader.rows<{ identity: string }>(
    sql`select identity from subscribers where identity in (${join(identities)})`,
  )
  const inboxes = identities.map(abuseKey)
  const blocked = await reader.rows<{ inbox: string }>(sql`
    select coalesce(abuse_key, identity) as inbox from subscribers
    where state = 'blocked' and (identity in (${join(inboxes)}) or abuse_key in (${join(inboxes)}))`)
  const isKnown = new Set(known.map(({ identity }) => identity))
  const isBlocked = new Set(blocked.map(({ inbox }) => inbox))
  const fresh: ImportedPerson[] = []
  const refused: RefusedLine[] = []
  for (const person of batch) {
    const { line, identity, address } = person
    if (isBlocked.has(abuseKey(identity)))
      refused.push({ line, why: `the holder of "${address}" blocked our mail` })
    else if (!isKnown.has(identity) && !seen.has(identity)) fresh.push(person)
    isKnown.add(identity)
  }
  return { fresh, refused }
}

/** The form stays null: nobody saw the page. */
async function add(transaction: Transaction, person: ImportedPerson, { now, recordEvent }: ImportContext) {
  const { identity, address, signedUpAt, consentedAt } = person
  const key = abuseKey(identity)
  const cover = consentedAt === null ? null : person.cover
  const row = await transaction.row<{ id: number }>(sql`
    insert into subscribers (identity, address, abuse_key, state, signed_up_at, last_mailed_at,
      announcements_agreed_at, announcements_cover)
    values (${identity}, ${address}, ${key === identity ? null : key}, 'active', ${signedUpAt}, ${signedUpAt},
      ${consentedAt}, ${cover})
    on conflict (identity) do nothing
    returning id`)
  if (!row) return // somebody signed up at the same moment
  await recordEvent(transaction, 'joined', row.id, now())
  if (consentedAt !== null) await recordEvent(transaction, 'consented', row.id, now())
}
