import sql from 'sql-template-tag'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { MailTemplate, Sender } from '#site/mail/compose-mail.ts'
import type { Config } from '#server/settings/config.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import type { Mailer } from '#server/transports/mailer.ts'
import { recordAction, recordActionIn } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { explainReason } from '#owner/mail/reasons.ts'
import { announcementStateWords } from './announcement-words.ts'
import { sendTestMail } from './announcement-mail.ts'
import {
  type Announcement,
  type AnnouncementOrder,
  beforeStartMs,
  cancel,
  finish,
  lockAnnouncement,
  pause,
  resume,
  storeAnnouncement,
} from './announcements.ts'
import { addDraft } from './letters/drafts.ts'
import { checkPictures } from './letters/pictures.ts'
import { isPace } from './pace/slow-start.ts'
import { planAnnouncement } from './plan.ts'

const longestAheadMs = 366 * dayMs

/**
 * Stores an announcement with the moment when it starts; release.ts sends it. A second one of the
 * same name widens the first: it goes to those who have no mail of it. False: the first reaches
 * everybody that this one would.
 */
export async function startAnnouncement(
  database: Database,
  order: AnnouncementOrder,
  now: number,
): Promise<boolean> {
  checkOrder(order, now)
  const { name, kind } = order
  const { audience } = await planAnnouncement(database.ownerReads, order, { to: order.to, now })
  return database.transaction(async (transaction) => {
    const before = await lockAnnouncement(transaction, name)
    if (before && before.kind !== kind) {
      throw new CommandError(`There is another announcement named ${name}.`)
    }
    if (before?.state === 'cancelled') throw new CommandError(cancelledSentence(name))
    if (before && reachesAll(before, order)) return false
    if (before && before.state !== 'done' && !reachesAll(order, before)) {
      throw new CommandError(
        `${name} is still going out to other people. Wait until it ends, or cancel it.`,
      )
    }
    await storeAnnouncement(transaction, order, { stillToCome: audience, now })
    await recordActionIn(transaction, { at: now, action: 'Started an announcement', about: name })
    return true
  })
}

export function cancelledSentence(name: string): string {
  return `${name} was cancelled. Resume it to finish it.`
}

function checkOrder(order: AnnouncementOrder, now: number): void {
  const { kind, words = '', perHour, mostPerHour, sendAt } = order
  if (kind === 'letter') checkPictures(words)
  for (const pace of [perHour, mostPerHour]) {
    if (typeof pace === 'number' && !isPace(pace)) {
      throw new CommandError(
        `${pace} mails an hour is not a pace: give a whole number of at least 1.`,
      )
    }
  }
  if (sendAt === undefined) return
  if (sendAt < now + beforeStartMs) {
    throw new CommandError('This time has passed, or is less than a minute away.')
  }
  if (sendAt > now + longestAheadMs) throw new CommandError('This time is more than a year away.')
}

interface Reach extends Pick<AnnouncementOrder, 'to'> {
  campaigns?: readonly string[] | null | undefined
}

/** True if everybody whom `narrow` is for is among those whom `wide` is for. */
function reachesAll(wide: Reach, narrow: Reach): boolean {
  if (wide.to !== narrow.to && wide.to !== 'everyone') return false
  if (!wide.campaigns) return true
  return narrow.campaigns?.every((campaign) => wide.campaigns?.includes(campaign)) ?? false
}

export type Change = 'pause' | 'resume' | 'cancel'

interface AnnouncementChange {
  allowedFrom: readonly Announcement['state'][]
  /** As the audit tells it. */
  action: string
}

const changes: Record<Change, AnnouncementChange> = {
  pause: { allowedFrom: ['running'], action: 'Paused the announcement of' },
  resume: { allowedFrom: ['paused', 'cancelled'], action: 'Resumed the announcement of' },
  cancel: { allowedFrom: ['running', 'paused'], action: 'Cancelled the announcement of' },
}

/** Pauses, goes on with, finishes, cancels, or takes back. */
export async function changeAnnouncement(
  database: Database,
  name: string,
  change: Change,
  now: number,
): Promise<void> {
  const stillToCome = change === 'resume' ? await countStillToCome(database, name, now) : 0
  return database.transaction(async (transaction) => {
    const announcement = await lockAnnouncement(transaction, name)
    if (!announcement) throw new CommandError(`${name} was not announced.`)
    if (announcement.kind === 'series') {
      throw new CommandError(`${name} is a letter of the series.`)
    }
    const { allowedFrom, action } = changes[change]
    if (!allowedFrom.includes(announcement.state)) {
      throw new CommandError(`${name} ${announcementStateWords[announcement.state]}.`)
    }
    await apply(transaction, announcement, { change, stillToCome, now })
    await recordActionIn(transaction, { at: now, action, about: name })
  })
}

/** For an announcement that was cancelled: the people without a mail of it. */
async function countStillToCome(database: Database, name: string, now: number): Promise<number> {
  const announcement = await database.transaction((transaction) =>
    lockAnnouncement(transaction, name),
  )
  if (announcement?.state !== 'cancelled') return 0
  const { kind, signedUpBefore, to, campaigns } = announcement
  const planned = { name, kind, signedUpBefore, campaigns: campaigns ?? undefined }
  return (await planAnnouncement(database.ownerReads, planned, { to, now })).audience
}

async function apply(
  transaction: Transaction,
  announcement: Announcement,
  { change, stillToCome, now }: { change: Change; stillToCome: number; now: number },
): Promise<void> {
  const { id, name, state, pausedWhy } = announcement
  switch (change) {
    case 'pause':
      return pause(transaction, id, { why: null, now })
    case 'resume':
      if (state === 'paused') {
        return resume(transaction, announcement, { startsOver: pausedWhy !== null, now })
      }
      if (pausedWhy !== null) {
        throw new CommandError(`${name} ended: ${pausedWhy}, and nobody knows who has it.`)
      }
      return finish(transaction, announcement, { stillToCome, now })
    case 'cancel':
      if (await cancel(transaction, id, now)) await keepAsDraft(transaction, announcement, now)
      return undefined
    default:
      return change satisfies never
  }
}

/** A letter that was taken back is a draft again. */
async function keepAsDraft(
  transaction: Transaction,
  { kind, subject, preview, words }: Announcement,
  now: number,
): Promise<void> {
  if (kind !== 'letter' || words === null) return
  await addDraft(transaction, { subject, preview, text: words }, now)
}

interface TestContext {
  database: Database
  mailer: Mailer
  config: Sender & Pick<Config, 'senderDomain'>
  now: () => number
}

/**
 * Mails a test of it to one address. The links below it are those of the person with this address;
 * if nobody has it they lead to the home page. False: nobody has it.
 */
export async function sendTest(
  { database, mailer, config, now }: TestContext,
  template: MailTemplate,
  address: string,
): Promise<boolean> {
  const token = await findToken(database.ownerReads, address)
  const { subject, html, text } = token === undefined ? withHomeLinks(template) : template
  const test = { ...template, subject: `[Test] ${subject}`, html, text }
  const sending = await sendTestMail(mailer, test, config, { address, token, now: now() })
  if (sending.kind !== 'accepted') throw new CommandError(explainReason(sending.why).words)
  const action = 'Sent a test of an announcement'
  await recordAction(database, { at: now(), action, about: '' })
  return token !== undefined
}

function withHomeLinks(template: MailTemplate): MailTemplate {
  const withHome = (part: string) => part.replaceAll(/\{\w+Url\}/g, '{publicUrl}')
  return { ...template, html: withHome(template.html), text: withHome(template.text) }
}

async function findToken(reader: Reader, address: string): Promise<string | undefined> {
  const identity = parseEmailAddress(address)?.identity ?? ''
  const row = await reader.row<{ token: string | null }>(
    sql`select token from subscribers where identity = ${identity}`,
  )
  return row?.token ?? undefined
}
