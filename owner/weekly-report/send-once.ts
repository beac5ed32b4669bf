import { createHmac } from 'node:crypto'
import { brand } from '#content/brand.ts'
import { ownerMailText } from '#content/owner-mail.ts'
import { nameCommands } from '#server/configuration/project-files.ts'
import type { Database } from '#server/database/database.ts'
import { readSetting, type SettingName } from '#server/database/settings.ts'
import type { ExtensionContext } from '#server/start/extension.ts'
import { deskPath } from '../desk/paths.ts'

export interface OwnerMailDeps extends Pick<
  ExtensionContext,
  'config' | 'database' | 'mailer' | 'log' | 'now' | 'secret'
> {
  ownerEmail: string
}

type MessageDeps = Pick<OwnerMailDeps, 'config' | 'ownerEmail' | 'secret' | 'now'>

export interface OwnerMail {
  subject: string
  paragraphs: string[]
}

/** The state of one kind of mail, kept in a row of settings. */
interface Kept<State> {
  name: SettingName
  state: State
  /** When the lease of the sending instance ends. 0: none is sending. */
  leaseUntil: number
  /** The value of the row. Undefined: there is no row yet. */
  text: string | undefined
}

export async function readKept<State>(
  { query }: Database,
  name: SettingName,
  otherwise: State,
): Promise<Kept<State>> {
  const text = await readSetting(query, name)
  if (text === undefined) return { name, state: otherwise, leaseUntil: 0, text }
  return { name, ...JSON.parse(text), text }
}

/** Resolves to undefined if another instance has changed the row since it was read. */
export async function keep<State>(
  { query }: Database,
  { name, text = '' }: Kept<State>,
  state: State,
  leaseUntil = 0,
): Promise<Kept<State> | undefined> {
  const value = JSON.stringify({ state, leaseUntil })
  const written = await query
    .insertInto('settings')
    .values({ name, value })
    // Stored values are never empty, so a row that appeared since is not overwritten.
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value }).where('settings.value', '=', text),
    )
    .executeTakeFirst()
  return written.numInsertedOrUpdatedRows === 1n ? { name, state, leaseUntil, text: value } : undefined
}

/**
 * Sends a mail to the owner from one of all instances. If that instance dies, another one sends when the lease ends, with the same
 * Message-ID, which is made from `key`. `after` is stored once the mail was accepted or refused permanently.
 */
export async function sendOnce<State>(
  deps: OwnerMailDeps,
  kept: Kept<State>,
  { key, mail, before, after }: { key: string; mail: OwnerMail; before: State; after: State },
): Promise<void> {
  const { config, database, mailer, log, now } = deps
  const leaseMs = (config.mailTimeoutSeconds + config.finalReplySeconds + 60) * 1000 // no mail takes longer
  if (kept.leaseUntil > now()) return
  const claimed = await keep(database, kept, before, now() + leaseMs)
  if (!claimed) return
  const sending = await mailer.send(messageOf(deps, `${kept.name} ${key}`, mail))
  const facts = { mail: kept.name, of: key }
  switch (sending.kind) {
    case 'accepted':
      await keep(database, claimed, after)
      return log.info('mail to the owner sent', facts)
    case 'permanent':
      await keep(database, claimed, after)
      return log.error('mail to the owner refused, given up', { ...facts, why: sending.why })
    case 'temporary':
      await keep(database, claimed, before)
      return log.warn('mail to the owner not sent, trying again later', { ...facts, why: sending.why })
    default:
      return sending satisfies never
  }
}

/** `what`: makes the Message-ID. */
export function messageOf({ config, ownerEmail, secret, now }: MessageDeps, what: string, mail: OwnerMail) {
  const paragraphs = [...mail.paragraphs, ownerMailText.desk(config.publicUrl + deskPath)]
  const hash = createHmac('sha256', secret).update(what).digest('base64url').slice(0, 22)
  return {
    from: config.mailFrom,
    to: ownerEmail,
    subject: `${brand.name}, ${mail.subject}`,
    text: nameCommands(`${paragraphs.join('\n\n')}\n`),
    messageId: `<${hash}@${config.senderDomain}>`,
    date: new Date(now()),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
