import sql from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { MailingRules, MailOfMailing, MayGo } from '#server/deliveries/mailing-rules.ts'
import { isInAudience } from '../audience.ts'
import { type Mailing, readMailing } from '../mailings.ts'

/** A letter of the series that is later than this is left out. */
export const seriesLateMs = 3 * dayMs
/** The attempt to send another letter has mostly ended after this time. */
const attemptMs = 60_000

/** The rules of mails to many, for the worker. */
export const mailingRules: MailingRules = {
  async mayGo(reader, mail, now) {
    const mailing = await readMailing(reader, mail.mailing)
    if (!mailing || mailing.state === 'cancelled') return { kind: 'cancelled' }
    if (mailing.state === 'paused') return { kind: 'held' }
    if (!(await isStillMeant(reader, mail, mailing, now))) return { kind: 'cancelled' }
    return putOffInSeries(reader, mail, { isOfSeries: mailing.afterDays !== null, now })
  },
  async recordEnd(transaction, mailing, end) {
    await transaction.run(sql`update mailings set ${figureAfter[end]} where id = ${mailing}`)
  },
}

const figureAfter = {
  sent: sql`sent = sent + 1`,
  failed: sql`failed = failed + 1`,
  'waits-again': sql`failed = failed - 1`,
}

/** They may have left, refused, or agreed again since it was queued. */
async function isStillMeant(
  reader: Reader,
  { subscriber }: MailOfMailing,
  mailing: Mailing,
  now: number,
): Promise<boolean> {
  const person = await reader.row<{ from: number | null }>(sql`
    select s.series_from as "from" from subscribers s
    where s.id = ${subscriber} and ${isInAudience(mailing)}`)
  if (!person) return false
  if (mailing.afterDays === null) return true
  if (person.from === null) return false
  const dueAt = person.from + mailing.afterDays * dayMs
  return dueAt <= now && now - dueAt <= seriesLateMs
}

interface OtherMail {
  id: number
  isOfSeries: 0 | 1
  state: 'queued' | 'sending' | 'sent'
  finishedAt: number | null
}

/**
 * A person gets at most one mail of the site a day beside the starter mail, as far as the series is
 * concerned: its letters give way to other mailings, and to each other.
 */
async function putOffInSeries(
  reader: Reader,
  { id, subscriber }: MailOfMailing,
  { isOfSeries, now }: { isOfSeries: boolean; now: number },
): Promise<MayGo> {
  const others = await reader.rows<OtherMail>(sql`
    select o.id, case when m.after_days is null then 0 else 1 end as "isOfSeries", o.state,
      o.finished_at as "finishedAt"
    from deliveries o join mailings m on m.id = o.mailing
    where o.subscriber = ${subscriber} and o.id <> ${id}
      and (m.after_days is not null or ${isOfSeries ? 1 : 0} = 1)
      and (o.state in ('queued', 'sending') or o.state = 'sent' and o.finished_at > ${now - dayMs})`)
  const lastSent = others
    .filter(({ state }) => state === 'sent')
    .reduce((last, { finishedAt }) => Math.max(last, finishedAt!), 0)
  if (lastSent > 0) return { kind: 'put-off', dueAt: lastSent + dayMs }
  if (!isOfSeries) {
    const isBusy = others.some(({ state }) => state === 'sending')
    return isBusy ? { kind: 'put-off', dueAt: now + attemptMs } : { kind: 'go' }
  }
  const givesWay = others.some(
    (other) => other.isOfSeries === 0 || (other.state === 'sending' && other.id < id),
  )
  return givesWay ? { kind: 'put-off', dueAt: now + dayMs } : { kind: 'go' }
}

/**
 * Counts a person who leaves the list or turns news off for the mailing that they got last, if that
 * was within a day. Called in the transaction in which they leave.
 */
export async function countWhoLeft(
  transaction: Transaction,
  subscriber: number,
  now: number,
): Promise<void> {
  await transaction.run(sql`
    update mailings set left_after = left_after + 1
    where id = (
      select mailing from deliveries
      where subscriber = ${subscriber} and mailing is not null and state = 'sent'
        and finished_at > ${now - dayMs}
      order by finished_at desc, id desc limit 1
    )`)
}
