import { createHmac } from 'node:crypto'
import { ownerMailText } from '#content/owner-mail.ts'
import { fill } from '#site/text/fill.ts'
import { nameCommands } from '#server/project-files.ts'
import { readSetting, writeSetting } from '#server/database/settings.ts'
import type { ServerContext } from '#server/start/context.ts'
import type { MailMessage } from '#site/mail/mail-message.ts'
import { deskPath } from '#contract/desk-paths.ts'

/** The parts that mail to the owner needs. */
export interface OwnerMailDeps extends Pick<
  ServerContext,
  'config' | 'database' | 'mailer' | 'log' | 'secret' | 'now'
> {
  ownerEmail: string
}

/** The parts that a mail to the owner is made of. */
type OwnerMailSource = Pick<OwnerMailDeps, 'config' | 'ownerEmail' | 'secret' | 'now'>

export interface OwnerMail {
  subject: string
  paragraphs: string[]
}

/** Longer than a mail takes. The claim of a process that died is over then. */
const claimMs = 15 * 60_000
const claimed = 'claimed '

/**
 * Sends a mail to the owner from one of all instances, once for each `key` of its kind; once more,
 * with the same Message-ID, if the process dies while sending. False: it was not sent, and is tried
 * again at the next check.
 */
export async function sendOnce(
  deps: OwnerMailDeps,
  kind: string,
  key: string,
  write: () => Promise<OwnerMail>,
): Promise<boolean> {
  const { database, mailer, log, now } = deps
  const setting = `owner-mail ${kind}`
  if ((await readSetting(database, setting)) === key) return true
  const isOurs = await database.transaction(async (transaction) => {
    await transaction.lock(setting)
    const known = (await readSetting(transaction, setting)) ?? ''
    const claimedAt = known.startsWith(claimed) ? Number(known.slice(claimed.length)) : 0
    if (known === key || Math.abs(now() - claimedAt) < claimMs) return false
    await writeSetting(transaction, setting, claimed + now())
    return true
  })
  if (!isOurs) return false
  const sending = await mailer.send(ownerMailMessage(deps, `${kind} ${key}`, await write()))
  const facts = { mail: kind, of: key }
  if (sending.kind === 'accepted') log.info('mail to the owner sent', facts)
  else log.warn(`mail to the owner not sent, ${sending.kind}`, { ...facts, why: sending.why })
  const isOver = sending.kind === 'accepted' || sending.kind === 'refused'
  await database.transaction((transaction) => writeSetting(transaction, setting, isOver ? key : ''))
  return isOver
}

/** `what`: makes the Message-ID. */
export function ownerMailMessage(
  { config, ownerEmail, secret, now }: OwnerMailSource,
  what: string,
  mail: OwnerMail,
): MailMessage {
  const paragraphs = [
    ...mail.paragraphs,
    fill(ownerMailText.desk, { address: config.publicUrl + deskPath }),
  ]
  const hash = createHmac('sha256', secret).update(what).digest('base64url').slice(0, 22)
  return {
    from: config.mailFrom,
    to: ownerEmail,
    subject: `${config.mailFrom.name}, ${mail.subject}`,
    text: nameCommands(`${paragraphs.join('\n\n')}\n`),
    messageId: `<${hash}@${config.senderDomain}>`,
    date: new Date(now()),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
