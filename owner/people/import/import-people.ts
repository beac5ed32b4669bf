import sql from 'sql-template-tag'
import { type EmailAddress, parseEmailAddress } from '#contract/email-address.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { abuseKey } from '#server/subscribers/abuse-key.ts'
import { addDailyCounts, dayOf } from '#server/statistics/daily-counts.ts'
import { seriesStart } from '#server/subscribers/series-start.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { startJob } from '#owner/acts/jobs/jobs.ts'
import type { JobAct } from '#owner/acts/jobs/run-jobs.ts'
import type { ImportedPerson } from './read-import.ts'
import type { NewPerson } from './read-person.ts'
import { findOnTheList, type TriedImport } from './try-import.ts'

type ImportDeps = Pick<ServerContext, 'now' | 'recordEvent'>

/**
 * Puts people on the list, as a job. Nobody is mailed. `campaign`: by which they can be found and
 * written to; empty: none. Returns its number.
 */
export function startImport(
  database: Database,
  { wanted, known, duplicates, refused }: TriedImport,
  { campaign, now }: { campaign: string; now: number },
): Promise<number> {
  const counts = { added: 0, consented: 0, known, duplicates, refused: refused.length }
  const job = { kind: 'import', about: campaign, counts, action: 'Imported people', now } as const
  return startJob(database, job, wanted)
}

/** Does a piece of an import. Some may have signed up, or blocked our mail, since it was tried. */
export function importAct({ now, recordEvent }: ImportDeps): JobAct {
  return async (transaction, items, job) => {
    const people = items as ImportedPerson[] // as startImport gave them
    const { known, blocked } = await findOnTheList(transaction, people)
    const counts = { added: 0, consented: 0, known: 0, refused: 0 }
    for (const person of people) {
      if (blocked.has(abuseKey(person.identity))) {
        counts.refused += 1
        continue
      }
      const id = known.has(person.identity)
        ? undefined
        : await addToList(transaction, person, job.about)
      if (id === undefined) {
        counts.known += 1
        continue
      }
      counts.added += 1
      if (person.consentedAt !== null) counts.consented += 1
      await tellOf(transaction, id, person, { now, recordEvent })
      await transaction.run(
        sql`insert into imported_people (subscriber, job) values (${id}, ${job.id})`,
      )
    }
    if (job.about !== '' && counts.added > 0) {
      const counted = { event: 'imported-from', detail: job.about, count: counts.added } as const
      await addDailyCounts(transaction, [{ day: dayOf(now()), ...counted }])
    }
    return counts
  }
}

export interface AddedPerson {
  /** As typed. */
  address: string
  /** ms since 1970. Undefined: they did not agree to news. */
  consentedAt?: number | undefined
}

/** Puts one person on the list, without a mail. Throws a CommandError if that cannot be. */
export async function addPerson(
  database: Database,
  { address: typed, consentedAt }: AddedPerson,
  { now: clock, recordEvent }: ImportDeps,
): Promise<void> {
  const now = clock()
  const address = parseEmailAddress(typed)
  if (!address) throw new CommandError('That is not an email address.')
  if (consentedAt !== undefined && consentedAt > now) {
    throw new CommandError('The day of their consent is in the future.')
  }
  const person = personFrom(address, consentedAt, now)
  await database.transaction(async (transaction) => {
    const { blocked } = await findOnTheList(transaction, [person])
    if (blocked.size > 0) throw new CommandError('The holder of that inbox blocked our mail.')
    const id = await addToList(transaction, person, '')
    if (id === undefined) throw new CommandError('That address is on the list already.')
    await tellOf(transaction, id, person, { now: clock, recordEvent })
    await recordActionIn(transaction, { at: now, action: 'Added a person', about: String(id) })
  })
}

function personFrom(
  address: EmailAddress,
  consentedAt: number | undefined,
  now: number,
): NewPerson {
  return {
    ...address,
    signedUpAt: consentedAt ?? now,
    consentedAt: consentedAt ?? null,
  }
}

/** The form stays null: nobody saw the page. */
async function addToList(
  transaction: Transaction,
  { identity, address, signedUpAt, consentedAt }: NewPerson,
  campaign: string,
): Promise<number | undefined> {
  const key = abuseKey(identity)
  const seriesFrom = consentedAt === null ? null : seriesStart(consentedAt, signedUpAt)
  const row = await transaction.row<{ id: number }>(sql`
    insert into subscribers (identity, address, abuse_key, state, signed_up_at,
      campaign, announcements_agreed_at, series_from)
    values (${identity}, ${address}, ${key === identity ? null : key}, 'active', ${signedUpAt},
      ${campaign || null}, ${consentedAt}, ${seriesFrom})
    on conflict (identity) do nothing
    returning id`)
  return row?.id
}

async function tellOf(
  transaction: Transaction,
  id: number,
  { consentedAt }: NewPerson,
  { now, recordEvent }: ImportDeps,
): Promise<void> {
  await recordEvent(transaction, 'joined', id, now())
  if (consentedAt !== null) await recordEvent(transaction, 'consented', id, now())
}
