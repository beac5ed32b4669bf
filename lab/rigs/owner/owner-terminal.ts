import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CommandContext } from '#owner/command-line/command-context.ts'
import { runOwnerCommand } from '#owner/command-line/run-owner-command.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { enqueue, settleClaims } from '#server/deliveries/deliveries.ts'
import { enrol, markLeft } from '#server/subscribers/subscribers.ts'
import type { Database } from '#server/database/database.ts'
import { makeTemporaryDatabase, openForTest } from '../database/temporary-database.ts'

export const ownerNow = Date.UTC(2026, 0, 2, 3, 4, 5)

/** A new database, and the owner's commands on it. */
export async function openOwnerTerminal(
  environment: Record<string, string> = {},
  outside: Partial<CommandContext> = {},
) {
  const { url, file, remove } = await makeTemporaryDatabase()
  onTestFinished(remove)
  const database = await openForTest(url)
  return { database, url, file, owner: ownerOf(url, environment, outside) }
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
  { query }: Database,
  email: string,
  outcome: 'queued' | 'sent' | 'failed' = 'queued',
): Promise<number> {
  const newcomer = { identity: email.toLowerCase(), address: email, abuse_key: null }
  const [subscriber] = await enrol(query, [newcomer], ownerNow)
  const template = await keepTemplate(query, {
    subject: 's',
    html: 'h',
    text: 't',
    from: 'a@b.co',
    replyTo: 'a@b.co',
    publicUrl: 'https://b.co',
  })
  await enqueue(
    query,
    [{ subscriber: subscriber!.id, message_id: `<${email}>`, lane: 0 }],
    template,
    ownerNow,
  )
  const { id } = await query
    .selectFrom('deliveries')
    .select('id')
    .where('subscriber', '=', subscriber!.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  if (outcome === 'queued') return id
  await query.updateTable('deliveries').set({ state: 'sending', worker: 'w' }).where('id', '=', id).execute()
  const lease = { worker: 'w', now: ownerNow }
  if (outcome === 'sent') await settleClaims(query, [id], { kind: 'sent' }, lease)
  else {
    await settleClaims(query, [id], { kind: 'failed', why: 'smtp 550 to RCPT TO' }, lease)
    await markLeft(query, subscriber!.id, 'undeliverable')
  }
  return id
}
