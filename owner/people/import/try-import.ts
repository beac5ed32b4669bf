import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { join } from 'sql-template-tag'
import type { Database, Reader } from '#server/database/database.ts'
import { abuseKey } from '#server/subscribers/abuse-key.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import type { ImportedPerson, ReadImport, RefusedLine } from './read-import.ts'
import type { NewPerson } from './read-person.ts'

/** The outcome that an import would have. */
export interface TriedImport {
  /** They would be put on the list. */
  wanted: ImportedPerson[]
  /** They are on the list, and stay as they are. */
  known: number
  /** Lines with an address that an earlier line has. */
  duplicates: number
  /** In the order of the file. */
  refused: RefusedLine[]
}

const batchSize = 500

/** Finds out what an import would do, and changes nothing. */
export async function tryImport(
  database: Database,
  { people, refused: unreadable }: ReadImport,
): Promise<TriedImport> {
  const tried: TriedImport = { wanted: [], known: 0, duplicates: 0, refused: [...unreadable] }
  const seen = new Set<string>()
  for (let start = 0; start < people.length; start += batchSize) {
    const batch = people.slice(start, start + batchSize)
    const first = batch.filter(({ identity }) => {
      const isFirst = !seen.has(identity)
      seen.add(identity)
      return isFirst
    })
    tried.duplicates += batch.length - first.length
    const { known, blocked } = await findOnTheList(database.ownerReads, first)
    for (const person of first) {
      if (blocked.has(abuseKey(person.identity))) tried.refused.push(blockedLine(person))
      else if (known.has(person.identity)) tried.known += 1
      else tried.wanted.push(person)
    }
    await nextTurn() // for other work of the server
  }
  tried.refused.sort((a, b) => a.line - b.line)
  return tried
}

function blockedLine({ line, address }: ImportedPerson): RefusedLine {
  return {
    line,
    why: `the holder of "${address}" blocked our mail`,
    reason: 'the holder of the inbox blocked our mail',
  }
}

/**
 * The people among some who are on the list, by identity, and the inboxes that are blocked, by key.
 */
export interface OnTheList {
  known: Set<string>
  blocked: Set<string>
}

export async function findOnTheList(
  reader: Reader,
  people: readonly Pick<NewPerson, 'identity'>[],
): Promise<OnTheList> {
  if (people.length === 0) return { known: new Set(), blocked: new Set() }
  const identities = people.map(({ identity }) => identity)
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
