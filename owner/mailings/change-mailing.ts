import sql, { type Sql } from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { countAudience } from './audience.ts'
import { isRemoved, lockMailing, type Mailing, readMailing, titleOf } from './mailings.ts'
import { skipPeoplePastDay } from './series.ts'
import { mailingStateWords } from './mailing-words.ts'

/** Until then a mailing can be taken back. */
export const beforeStartMs = 60_000
const longestAheadMs = 366 * dayMs

export type MailingAct = 'send' | 'pause' | 'resume' | 'cancel' | 'restore'

/** As the audit tells it. */
const actWords: Record<MailingAct, string> = {
  send: 'Sent a letter',
  pause: 'Paused a letter',
  resume: 'Resumed a letter',
  cancel: 'Cancelled a letter',
  restore: 'Restored a letter',
}

interface Change {
  act: MailingAct
  /** ms since 1970. */
  now: number
  /** `send`: at once. Without it the owner has a minute to take it back. */
  isStartedNow?: boolean
}

/**
 * Does one act of the owner with a mailing: draft → scheduled → sending ⇄ paused → done |
 * cancelled. What the sending loop does by itself stands below: begin, pause, end. Throws a
 * CommandError that says why an act does not fit the state.
 */
export async function changeMailing(database: Database, id: number, change: Change): Promise<void> {
  const toSend = await checkBeforeStart(database, id, change)
  return database.transaction(async (transaction) => {
    const mailing = await lockMailing(transaction, id)
    if (!mailing) throw new CommandError('This letter does not exist any more.')
    await apply(transaction, mailing, { ...change, toSend })
    const { act, now } = change
    await recordActionIn(transaction, { at: now, action: actWords[act], about: String(id) })
  })
}

async function apply(
  transaction: Transaction,
  mailing: Mailing,
  { act, now, isStartedNow, toSend }: Change & { toSend: number },
): Promise<void> {
  const { id, state, afterDays } = mailing
  const isOfSeries = afterDays !== null
  const set = (columns: Sql) =>
    transaction.run(sql`update mailings set ${columns} where id = ${id}`)
  switch (`${act} ${state}` as const) {
    case 'send draft':
      if (isOfSeries) return goOn(transaction, mailing, now)
      await set(sql`state = 'scheduled', to_send = ${toSend},
        starts_at = ${mailing.sendAt ?? (isStartedNow ? now : now + beforeStartMs)}`)
      return undefined
    case 'pause sending':
      await pause(transaction, id, { why: null })
      return undefined
    case 'send paused':
    case 'resume paused':
      return goOn(transaction, mailing, now)
    case 'pause scheduled':
    case 'cancel scheduled': // taken back
      await set(sql`state = 'draft', starts_at = null, to_send = 0, changed_at = ${now}`)
      return undefined
    case 'cancel draft': // removed
    case 'cancel sending':
    case 'cancel paused':
      return cancelRest(transaction, id, now)
    case 'restore cancelled':
      if (!isRemoved(mailing)) throw new CommandError(restoreSentence)
      await set(sql`state = ${isOfSeries && mailing.resumedAt !== null ? 'paused' : 'draft'},
        ended_at = null, changed_at = ${now}`)
      return undefined
    default:
      throw new CommandError(`“${titleOf(mailing)}” ${mailingStateWords[state]}.`)
  }
}

async function cancelRest(transaction: Transaction, id: number, now: number): Promise<void> {
  await transaction.run(sql`
    update mailings set state = 'cancelled', ended_at = ${now}, paused_why = null where id = ${id}`)
  await transaction.run(sql`
    update deliveries set state = 'cancelled', finished_at = ${now}
    where mailing = ${id} and state in ('queued', 'held')`)
}

const restoreSentence =
  'Some people have it already. Use “Send to those who have not had it” instead.'

/** Goes on with what a pause held, and starts a letter of the series. */
async function goOn(transaction: Transaction, mailing: Mailing, now: number): Promise<void> {
  const { id, afterDays, pausedWhy } = mailing
  // After a pause of its own those go on who are at most three days late.
  if (afterDays !== null && pausedWhy === null) await skipPeoplePastDay(transaction, mailing, now)
  await transaction.run(sql`
    update mailings set state = 'sending', paused_why = null, resumed_at = ${now} where id = ${id}`)
  // Mail that a worker had in hand keeps its date, and so its bytes.
  await transaction.run(sql`
    update deliveries set state = 'queued', due_at = ${now},
      queued_at = case when failures = 0 and worker is null then ${now} else queued_at end
    where mailing = ${id} and state = 'held'`)
}

/**
 * Stops sending, and holds the mails that are queued. The worker holds those it has claimed. `why`:
 * it pauses automatically. The caller has locked the mailing.
 */
export async function pause(
  transaction: Transaction,
  id: number,
  { why }: { why: string | null },
): Promise<void> {
  await transaction.run(
    sql`update mailings set state = 'paused', paused_why = ${why} where id = ${id}`,
  )
  await transaction.run(sql`
    update deliveries set state = 'held', worker = null where mailing = ${id} and state = 'queued'`)
}

/** Begins a scheduled mailing whose time has come: from now on its words are fixed. */
export async function begin(
  transaction: Transaction,
  id: number,
  { template, now }: { template: string; now: number },
): Promise<void> {
  await transaction.run(sql`
    update mailings set state = 'sending', template = ${template}, resumed_at = ${now}
    where id = ${id}`)
}

/** Ends a mailing of which all is sent. The number that it went to is known now. */
export async function end(transaction: Transaction, id: number, now: number): Promise<void> {
  await transaction.run(sql`
    update mailings set state = 'done', ended_at = ${now}, to_send = sent + failed where id = ${id}`)
}

/** Returns how many people a letter that goes out once goes to now. */
async function checkBeforeStart(
  database: Database,
  id: number,
  { act, now }: Change,
): Promise<number> {
  if (act !== 'send' && act !== 'resume') return 0
  const mailing = await readMailing(database.ownerReads, id)
  if (!mailing) return 0
  const { checkWords } = await import('./letters/check-words.ts') // Markdown takes up memory
  checkWords(mailing) // those of the series may have been changed while it was off
  const { sendAt, afterDays } = mailing
  if (act === 'resume' || afterDays !== null) return 0
  if (sendAt !== null && sendAt < now + beforeStartMs) {
    throw new CommandError('This time has passed, or is less than a minute away.')
  }
  if (sendAt !== null && sendAt > now + longestAheadMs) {
    throw new CommandError('This time is more than a year away.')
  }
  const { recipients } = await countAudience(database.ownerReads, mailing)
  if (recipients === 0) throw new CommandError('Nobody on the list would get it.')
  return recipients
}
