import sql, { join } from 'sql-template-tag'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Database } from '#server/database/database.ts'
import { addSubscriber, type NewSubscriber } from '#server/subscribers/subscribers.ts'
import { noon } from './test-clock.ts'

interface Joining extends Pick<NewSubscriber, 'form' | 'campaign' | 'kit'> {
  /** ms since 1970. Default: noon of the test clock. */
  at?: number
  /** They agreed to news then. */
  agreed?: boolean
}

/**
 * Puts people on the list who are not there yet, without a mail. Returns the number of each
 * address, in order.
 */
export function addPeople(
  database: Database,
  typed: readonly string[],
  { at = noon, agreed = false, ...facts }: Joining = {},
): Promise<number[]> {
  return database.transaction(async (transaction) => {
    const ids: number[] = []
    for (const address of typed) {
      const added = parseEmailAddress(address)!
      const known = await transaction.row<{ id: number }>(
        sql`select id from subscribers where identity = ${added.identity}`,
      )
      ids.push(known?.id ?? (await addSubscriber(transaction, { ...added, ...facts }, at)))
    }
    if (agreed) {
      await transaction.run(sql`
        update subscribers set announcements_agreed_at = ${at}, series_from = ${at}
        where id in (${join(ids)})`)
    }
    return ids
  })
}

/** `n0@example.com` and so on. `name`: instead of the n. */
export function addresses(count: number, name = 'n'): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}@example.com`)
}
