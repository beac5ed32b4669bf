import sql from 'sql-template-tag'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import type { Database } from '#server/database/database.ts'
import { mailingRules } from '#owner/mailings/sending/may-go.ts'
import { recordOutcome } from '#server/deliveries/deliveries.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { queueMails } from '../server/queue-mails.ts'
import { temporaryDatabase } from '../database/temporary-database.ts'
import { ownerNow, ownerOf } from './owner-commands.ts'

/** A new database, and the owner's commands on it. */
export async function openOwnerTerminal(
  environment: Record<string, string> = {},
  outside: Partial<CommandContext> = {},
) {
  const opened = await temporaryDatabase(ownerMigrations)
  return { ...opened, owner: ownerOf(opened.url, environment, outside) }
}

/**
 * A subscriber with one delivery in the state wanted; `fault` says why it failed. Returns the
 * delivery's number.
 */
export async function subscribe(
  database: Database,
  email: string,
  outcome: 'queued' | 'sent' | 'failed' = 'queued',
  fault?: string,
): Promise<number> {
  await queueMails(database, [email], { now: ownerNow })
  const newest = await database.row<{ id: number }>(sql`select max(id) as id from deliveries`)
  if (outcome !== 'queued') await settle(database, newest!.id, outcome, fault)
  return newest!.id
}

/** Records the outcome of a delivery. */
export async function settle(
  database: Database,
  id: number,
  outcome: 'sent' | 'failed',
  fault = 'smtp 550 5.1.1 to RCPT TO',
): Promise<void> {
  await database.transaction(async (transaction) => {
    const claimed = await transaction.row<{ subscriber: number; mailing: number | null }>(sql`
      update deliveries set state = 'sending', worker = 'w' where id = ${id}
      returning subscriber, mailing`)
    const { subscriber, mailing } = claimed!
    const end =
      outcome === 'sent'
        ? ({ kind: 'sent', ms: 0 } as const)
        : ({ kind: 'failed', why: fault, isRefused: true } as const)
    await recordOutcome(transaction, { id, mailing }, end, {
      worker: 'w',
      now: ownerNow,
      rules: mailingRules,
    })
    if (outcome === 'failed') await leaveTheList(transaction, subscriber, 'undeliverable', ownerNow)
  })
}
