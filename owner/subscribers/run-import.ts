import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { join } from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { abuseKey } from '#server/subscribers/abuse-key.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import type { readImport } from './read-import.ts'

type Import = Awaited<ReturnType<typeof readImport>>
type ImportedPerson = Import['people'][number]
export type ImportContext = Pick<ServerContext, 'database' | 'now' | 'recordEvent'>

const batchSize = 100

/**
 * Puts people on the list, in batches. Nobody is mailed. A dry run only says what would happen.
 * `known`: they were on the list before, and stay as they are. `refused`: the line cannot be used,
 * or the holder of the inbox blocked our mail.
 */
export async function runImport(
  context: ImportContext,
  { people, refused: unreadable }: Import,
  isDryRun: boolean,
  onBatch?: (people: number) => void,
) {
  const blockedLines: typeof unreadable = []
  const added = new Map<string, ImportedPerson>()
  for (let start = 0; start < people.length; start += batchSize) {
    const batch = people.slice(start, start + batchSize)
    const { known, blocked } = await findOnTheList(context.database, batch)
    for (const person of batch) {
      if (blocked.has(abuseKey(person.identity))) {
        blockedLines.push({
          line: person.line,
          why: `the holder of "${person.address}" blocked our mail`,
        })
      } else if (!known.has(person.identity) && !added.has(person.identity)) {
        added.set(person.identity, person)
      }
    }
    const fresh = batch.filter((person) => added.get(person.identity) === person)
    if (!isDryRun) {
      await context.database.transaction(async (transaction) => {
        for (const person of fresh) await add(transaction, person, context)
      })
    }
    onBatch?.(batch.length)
    await nextTurn() // for other work of the server
  }
  const refused = [...unreadable, ...blockedLines].toSorted((a, b) => a.line - b.line)
  const consented = [...added.values()].filter(({ consentedAt }) => consentedAt !== null).length
  return {
    added: added.size,
    known: people.length - added.size - blockedLines.length,
    consented,
    refused,
  }
}

/** Finds who of a batch is on the list, and whose inbox is blocked. */
async function findOnTheList(reader: Reader, batch: readonly ImportedPerson[]) {
  const identities = batch.map(({ identity }) => identity)
  const inboxes = identities.map(abuseKey)
  const found = await reader.rows<Pick<Subscriber, 'identity' | 'abuse_key' | 'state'>>(sql`
    select identity, abuse_key, state from subscribers
    where identity in (${join([...identities, ...inboxes])}) or abuse_key in (${join(inboxes)})`)
  const blocked = found.filter(({ state }) => state === 'blocked')
  return {
    known: new Set(found.map(({ identity }) => identity)),
    blocked: new Set(blocked.map((one) => one.abuse_key ?? one.identity)),
  }
}

/** The form stays null: nobody saw the page. They were never mailed. */
async function add(
  transaction: Transaction,
  person: ImportedPerson,
  { now, recordEvent }: ImportContext,
) {
  const { identity, address, signedUpAt, consentedAt } = person
  const key = abuseKey(identity)
  const cover = consentedAt === null ? null : person.cover
  const row = await transaction.row<{ id: number }>(sql`
    insert into subscribers (identity, address, abuse_key, state, signed_up_at, last_mailed_at,
      announcements_agreed_at, announcements_cover)
    values (${identity}, ${address}, ${key === identity ? null : key}, 'active', ${signedUpAt}, 0,
      ${consentedAt}, ${cover})
    on conflict (identity) do nothing
    returning id`)
  if (!row) return // a line of the same address, or somebody signed up at the same moment
  await recordEvent(transaction, 'joined', row.id, now())
  if (consentedAt !== null) await recordEvent(transaction, 'consented', row.id, now())
}
