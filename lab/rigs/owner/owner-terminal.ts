import { join } from 'node:path'
import type { CommandContext } from '#owner/command-line/command-context.ts'
import { runOwnerCommand } from '#owner/command-line/run-owner-command.ts'
import { deliveryTable } from '#server/deliveries/deliveries.ts'
import { markLeft } from '#server/subscribers/subscribers.ts'
import type { Database } from '#server/database/database.ts'
import { queueMails } from '../server/queue-mails.ts'
import { temporaryDatabase } from '../database/temporary-database.ts'

export const ownerNow = Date.UTC(2026, 0, 2, 3, 4, 5)

/** A new database, and the owner's commands on it. */
export async function openOwnerTerminal(
  environment: Record<string, string> = {},
  outside: Partial<CommandContext> = {},
) {
  const opened = await temporaryDatabase()
  return { ...opened, owner: ownerOf(opened.url, environment, outside) }
}

/** Runs one command as a terminal would, on the database that `url` names. */
export function ownerOf(
  url: string,
  more: Record<string, string> = {},
  outside: Partial<CommandContext> = {},
) {
  return async (...words: string[]) => {
    let [printed, aside] = ['', '']
    const code = await runOwnerCommand(words, {
      environment: { DATABASE_URL: url, ...more },
      folder: join(import.meta.dirname, '../../..'),
      now: () => ownerNow,
      resolveTxt: () => Promise.reject(new Error('A test asks no real DNS')),
      isTerminal: false,
      hasColors: false,
      write: async (text) => void (printed += text),
      writeError: (text) => void (aside += text),
      ...outside,
    })
    return { code, printed, aside }
  }
}

/** A subscriber with one delivery in the state wanted. Returns the delivery's number. */
export async function subscribe(
  database: Database,
  email: string,
  outcome: 'queued' | 'sent' | 'failed' = 'queued',
): Promise<number> {
  await queueMails(database.query, [email], { now: ownerNow })
  const newest = database.query.selectFrom('deliveries').select('id').orderBy('id', 'desc')
  const { id } = await newest.executeTakeFirstOrThrow()
  if (outcome !== 'queued') await settle(database, id, outcome)
  return id
}

/** Records the outcome of a delivery. */
export async function settle({ query }: Database, id: number, outcome: 'sent' | 'failed'): Promise<void> {
  const { subscriber } = await query
    .updateTable('deliveries')
    .set({ state: 'sending', worker: 'w' })
    .where('id', '=', id)
    .returning('subscriber')
    .executeTakeFirstOrThrow()
  const failed = { kind: 'failed', why: 'smtp 550 to RCPT TO', isAway: false, retryAfterMs: 0 } as const
  const result = outcome === 'sent' ? ({ kind: 'sent', ms: 0 } as const) : failed
  await deliveryTable.record(query, [{ claim: { id }, ...result }], { worker: 'w', now: ownerNow })
  if (outcome === 'failed') await markLeft(query, subscriber, 'undeliverable')
}
