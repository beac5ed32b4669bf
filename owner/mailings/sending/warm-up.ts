import sql from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { deleteSetting, readSetting, writeSetting } from '#server/database/settings.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { firstDayMails } from '../limits.ts'

const hourMs = 60 * 60_000
const warmUpDays = 42

/** The setting of an owner whose domain sends much mail already. */
export const warmUpOff = 'warm-up-off'

/** What the site has sent to many so far. */
export interface SentSoFar {
  /** Since its first mailing. */
  days: number
  /** Mails queued more than a day ago. */
  before: number
  /** Mails queued within the last day. */
  today: number
}

/**
 * The mails that a site may still send to many within this day. A new sender that mails many people
 * at once is taken for a spammer, so each day it may send twice what it has sent in all before.
 */
export function warmUpRoom({ days, before, today }: SentSoFar): number {
  if (days >= warmUpDays) return Infinity
  return Math.max(0, Math.max(firstDayMails, 2 * before) - today)
}

/** The owner's switch. */
export async function switchWarmUp(
  database: Database,
  { isOn, now }: { isOn: boolean; now: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    if (isOn) await deleteSetting(transaction, warmUpOff)
    else await writeSetting(transaction, warmUpOff, 'yes')
    const action = isOn ? 'Switched on the warm-up' : 'Switched off the warm-up'
    await recordActionIn(transaction, { at: now, action, about: '' })
  })
}

export async function isWarmUpOn(reader: Reader): Promise<boolean> {
  return (await readSetting(reader, warmUpOff)) === undefined
}

/** Reads what the warm-up leaves. Infinity: the owner switched it off, or it is over. */
export async function readWarmUpRoom(reader: Reader, now: number): Promise<number> {
  if (!(await isWarmUpOn(reader))) return Infinity
  return warmUpRoom(await readSentSoFar(reader, now))
}

async function readSentSoFar(reader: Reader, now: number): Promise<SentSoFar> {
  const dayAgo = hourOf(now - dayMs)
  const row = await reader.row<{ first: number | null; before: number; today: number }>(sql`
    select min(hour) as first,
      coalesce(sum(case when hour <= ${dayAgo} then mails end), 0) as before,
      coalesce(sum(case when hour > ${dayAgo} then mails end), 0) as today
    from mailing_hours`)
  const { first, before, today } = row!
  return { days: first === null ? 0 : (hourOf(now) - first) / 24, before, today }
}

/** Called in the transaction that queues the mails. */
export async function countQueued(
  transaction: Transaction,
  mails: number,
  now: number,
): Promise<void> {
  if (mails === 0) return
  await transaction.run(sql`
    insert into mailing_hours (hour, mails) values (${hourOf(now)}, ${mails})
    on conflict (hour) do update set mails = mailing_hours.mails + ${mails}`)
}

function hourOf(moment: number): number {
  return Math.floor(moment / hourMs)
}
