import { createHmac } from 'node:crypto'
import { brand } from '#content/brand.ts'
import { ownerMailText } from '#content/owner-mail.ts'
import { nameCommands } from '#server/configuration/project-files.ts'
import { isWaitOver } from '#server/database/clock.ts'
import type { Reader } from '#server/database/database.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import type { ServerContext } from '#server/start/context.ts'
import type { MailMessage } from '#server/transports/mailer.ts'
import { deskPath } from '../desk/paths.ts'

export interface OwnerMailDeps extends Pick<
  ServerContext,
  'config' | 'database' | 'mailer' | 'log' | 'now' | 'secret'
> {
  ownerEmail: string
}

export interface OwnerMail {
  subject: string
  paragraphs: string[]
}

/** Kept in a row of settings for each kind of mail. */
interface Kept {
  /** The key of the last mail. */
  sent: string
  /** Until then one instance is sending the next, in ms since 1970. */
  leaseUntil: number
}

/**
 * Sends a mail to the owner from one of all instances, once for each `key`. If that instance dies, another sends it when the lease
 * ends, with the same Message-ID. True: it was accepted, now or before, or refused for good.
 */
export async function sendOnce(
  deps: OwnerMailDeps,
  kind: string,
  key: string,
  write: () => OwnerMail | Promise<OwnerMail>,
): Promise<boolean> {
  const { database, mailer, log } = deps
  if ((await readKept(database, kind)).sent === key) return true
  const claim = await claimMail(deps, kind, key)
  if (claim.kind !== 'ours') return claim.kind === 'sent'
  const sending = await mailer.send(messageOf(deps, `${kind} ${key}`, await write()))
  const isOver = sending.kind !== 'temporary'
  await writeKept(deps, kind, { sent: isOver ? key : claim.before, leaseUntil: 0 })
  const facts = { mail: kind, of: key }
  if (sending.kind === 'accepted') log.info('mail to the owner sent', facts)
  else if (isOver) log.error('mail to the owner refused, given up', { ...facts, why: sending.why })
  else log.warn('mail to the owner not sent, trying again later', { ...facts, why: sending.why })
  return isOver
}

type Claim = { kind: 'sent' | 'busy' } | { kind: 'ours'; before: string }

function claimMail({ config, database, now }: OwnerMailDeps, kind: string, key: string): Promise<Claim> {
  const leaseMs = (config.mailTimeoutSeconds + config.finalReplySeconds + 60) * 1000 // no mail takes longer
  return database.transaction(async (transaction) => {
    await transaction.lock(settingOf(kind))
    const { sent, leaseUntil } = await readKept(transaction, kind)
    if (sent === key) return { kind: 'sent' }
    if (!isWaitOver(leaseUntil, now(), leaseMs)) return { kind: 'busy' }
    const kept: Kept = { sent, leaseUntil: now() + leaseMs }
    await writeSetting(transaction, settingOf(kind), JSON.stringify(kept))
    return { kind: 'ours', before: sent }
  })
}

async function readKept(reader: Reader, kind: string): Promise<Kept> {
  const value = await readSetting(reader, settingOf(kind))
  return value === undefined ? { sent: '', leaseUntil: 0 } : JSON.parse(value) // as writeKept wrote it
}

async function writeKept({ database }: OwnerMailDeps, kind: string, kept: Kept): Promise<void> {
  await database.transaction((transaction) =>
    writeSetting(transaction, settingOf(kind), JSON.stringify(kept)),
  )
}

function settingOf(kind: string): string {
  return `owner-mail ${kind}`
}

type MessageDeps = Pick<OwnerMailDeps, 'config' | 'ownerEmail' | 'secret' | 'now'>

/** `what`: makes the Message-ID. */
export function messageOf(
  { config, ownerEmail, secret, now }: MessageDeps,
  what: string,
  mail: OwnerMail,
): MailMessage {
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
