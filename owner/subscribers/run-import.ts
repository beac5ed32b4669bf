import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { join } from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { abuseKey } from '#server/subscribers/abuse-key.ts'
import { seriesStart } from '#server/subscribers/series-start.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import type { ImportedPerson, ReadImport, RefusedLine } from './read-import.ts'

export type ImportContext = Pick<ServerContext, 'database' | 'now' | 'recordEvent'>

/** What an import does, or would do. */
export interface ImportResult {
  added: number
  /** Of those added, who agreed to news. */
  consented: number
  /** They were on the list before, and stay as they are. */
  known: number
  /** Lines with an address that an earlier line has. */
  duplicates: number
  /** In the order of the file. */
  refused: RefusedLine[]
}

const batchSize = 100

/** Puts people on the list, in batches. Nobody is mailed. A dry run only says what would happen. */
export async function runImport(
  context: ImportContext,
  { people, refused: unreadable }: ReadImport,
  isDryRun: boolean,
  onBatch?: (people: number) => void,
): Promise<ImportResult> {
  const result: ImportResult = { added: 0, consented: 0, known: 0, duplicates: 0, refused: [] }
  const seen = new Set<string>()
  for (let start = 0; start < people.length; start += batchSize) {
    const batch = people.slice(start, start + batchSize)
    const first = batch.filter(({ identity }) => {
      const isFirst = !seen.has(identity)
      seen.add(identity)
      return isFirst
    })
    result.duplicates += batch.length - first.length
    const { known, blocked } = await findOnTheList(context.database.ownerReads, first)
    const fresh: ImportedPerson[] = []
    for (const person of first) {
      if (blocked.has(abuseKey(person.identity))) result.refused.push(blockedLine(person))
      else if (known.has(person.identity)) result.known += 1
      else fresh.push(person)
    }
    const added = isDryRun ? fresh : await addAll(context, fresh)
    result.added += added.length
    result.known += fresh.length - added.length
    result.consented += added.filter(({ consentedAt }) => consentedAt !== null).length
    onBatch?.(batch.length)
    await nextTurn() // for other work of the server
  }
  result.refused = [...unreadable, ...result.refused].toSorted((a, b) => a.line - b.line)
  return result
}

function blockedLine({ line, address }: ImportedPerson): RefusedLine {
  return {
    line,
    why: `the holder of "${address}" blocked our mail`,
    reason: 'the holder of the inbox blocked our mail',
  }
}

/** Finds who of a batch is on the list, and whose inbox is blocked. */
async function findOnTheList(
  reader: Reader,
  batch: readonly ImportedPerson[],
): Promise<{ known: Set<string>; blocked: Set<string> }> {
  if (batch.length === 0) return { known: new Set(), blocked: new Set() }
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

/** Returns those who were added. The others have signed up at the same moment. */
function addAll(
  { database, now, recordEvent }: ImportContext,
  people: readonly ImportedPerson[],
): Promise<ImportedPerson[]> {
  return database.transaction(async (transaction) => {
    const added: ImportedPerson[] = []
    for (const person of people) {
      const id = await add(transaction, person)
      if (id === undefined) continue
      added.push(person)
      await recordEvent(transaction, 'joined', id, now())
      if (person.consentedAt !== null) await recordEvent(transaction, 'consented', id, now())
    }
    return added
  })
}

/** The form stays null: nobody saw the page. The starter mail was never sent: 0. */
async function add(
  transaction: Transaction,
  { identity, address, signedUpAt, consentedAt, cover }: ImportedPerson,
): Promise<number | undefined> {
  const key = abuseKey(identity)
  const isInSeries = consentedAt !== null && cover !== 'versions'
  const seriesFrom = isInSeries ? seriesStart(consentedAt, signedUpAt) : null
  const row = await transaction.row<{ id: number }>(sql`
    insert into subscribers (identity, address, abuse_key, state, signed_up_at, last_mailed_at,
      announcements_agreed_at, announcements_cover, series_from)
    values (${identity}, ${address}, ${key === identity ? null : key}, 'active', ${signedUpAt}, 0,
      ${consentedAt}, ${consentedAt === null ? null : cover}, ${seriesFrom})
    on conflict (identity) do nothing
    returning id`)
  return row?.id
}
