import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Transaction } from '#server/database/database.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { mailingPriority, queueMail } from '#server/deliveries/deliveries.ts'
import type { ServerContext } from '#server/start/context.ts'
import { isInAudience } from '../audience.ts'
import { begin, end, pause } from '../change-mailing.ts'
import { lockMailing, type Mailing } from '../mailings.ts'
import { seriesLateMs } from './may-go.ts'
import { pauseReason, readSample } from './sample.ts'
import { countQueued, readWarmUpRoom } from './warm-up.ts'

/**
 * Mails queued, and subscribers looked at, in one transaction: some milliseconds, in which no
 * visitor is answered.
 */
const pageMails = 20
const pageSubscribers = 1_000
/** Between two pages, for visitors. */
const betweenPagesMs = 10
/** Few enough to be held soon by a pause, and more than a relay takes between two runs. */
const maxUnsent = 500

type SendContext = Pick<ServerContext, 'config' | 'database' | 'now' | 'site' | 'wakeDeliveries'>

/**
 * Queues the mail of every mailing that is going out, a page at a time. Every instance runs it: a
 * lock in the database lets one at a time queue a page.
 */
export async function sendMailings(context: SendContext): Promise<void> {
  const { database, now, wakeDeliveries } = context
  const atWork = await database.rows<{ id: number }>(sql`
    select id from mailings
    where state = 'sending' or (state = 'scheduled' and starts_at <= ${now()}) order by id`)
  for (const { id } of atWork) {
    while (await queuePage(context, id)) {
      wakeDeliveries()
      await sleep(betweenPagesMs)
    }
  }
}

/**
 * A page and its end are written in one transaction, so a kill neither loses nor doubles mail.
 * False: nothing is left to do now.
 */
async function queuePage(context: SendContext, id: number): Promise<boolean> {
  const { database, now: clock } = context
  const mailing = await readStarted(context, id)
  if (!mailing) return false
  const why = pauseReason(await readSample(database.ownerReads, mailing))
  return database.transaction(async (transaction) => {
    const locked = await lockMailing(transaction, id)
    if (locked?.state !== 'sending' || locked.resumedAt !== mailing.resumedAt) return false
    const now = clock()
    // First: where nothing is left to hold back, a pause would only alarm.
    if (locked.afterDays === null && (await isOver(transaction, locked))) {
      await end(transaction, id, now)
      return false
    }
    if (why !== undefined) {
      await pause(transaction, id, { why })
      return false
    }
    const room = Math.min(pageMails, await readRoom(transaction, locked, now))
    if (locked.afterDays === null) return queueNext(context, transaction, locked, { room, now })
    return queueDue(context, transaction, locked, { room, now })
  })
}

/** Reads a mailing that is going out, and begins one whose time has come. */
async function readStarted(
  { database, now: clock, site }: SendContext,
  id: number,
): Promise<Mailing | undefined> {
  const { composeMailing } = await import('../compose.ts') // Markdown takes up memory
  return database.transaction(async (transaction) => {
    const mailing = await lockMailing(transaction, id)
    if (mailing?.state === 'sending') return mailing
    const now = clock()
    if (mailing?.state !== 'scheduled' || now < mailing.startsAt!) return undefined
    const { content, mails } = site.current
    const mail = composeMailing({ content, mails }, mailing)
    await begin(transaction, id, { template: await keepTemplate(transaction, mail), now })
    return lockMailing(transaction, id)
  })
}

/** The mails that may be queued now. */
async function readRoom(transaction: Transaction, { id }: Mailing, now: number): Promise<number> {
  const row = await transaction.row<{ unsent: number }>(sql`
    select count(*) as unsent from deliveries
    where mailing = ${id} and state in ('queued', 'sending')`)
  return Math.min(maxUnsent - row!.unsent, await readWarmUpRoom(transaction, now))
}

interface Page {
  /** The most mails. */
  room: number
  now: number
}

/** Queues the next people by their number. */
async function queueNext(
  { config }: SendContext,
  transaction: Transaction,
  mailing: Mailing,
  { room, now }: Page,
): Promise<boolean> {
  const { id, template, cursorId } = mailing
  if (room <= 0 || (await areAllQueued(transaction, mailing))) return false
  const lastOfPage = cursorId + pageSubscribers
  const people = await transaction.rows<{ id: number }>(sql`
    select s.id from subscribers s
    where s.id > ${cursorId} and s.id <= ${lastOfPage} and ${isInAudience(mailing)}
      and not exists (select 1 from deliveries d where d.mailing = ${id} and d.subscriber = s.id)
    order by s.id limit ${room}`)
  for (const { id: subscriber } of people) {
    await queue(transaction, { subscriber, mailing: id, template: template!, config, now })
  }
  const upTo = people.length === room ? people.at(-1)!.id : lastOfPage
  await transaction.run(sql`update mailings set cursor_id = ${upTo} where id = ${id}`)
  await countQueued(transaction, people.length, now)
  return true
}

/** True once everybody had their turn and no mail waits. */
async function isOver(transaction: Transaction, mailing: Mailing): Promise<boolean> {
  return (await areAllQueued(transaction, mailing)) && !(await isUnsent(transaction, mailing.id))
}

async function areAllQueued(transaction: Transaction, { cursorId }: Mailing): Promise<boolean> {
  const newest = await transaction.row<{ id: number | null }>(
    sql`select max(id) as id from subscribers`,
  )
  return cursorId >= (newest!.id ?? 0)
}

async function isUnsent(transaction: Transaction, id: number): Promise<boolean> {
  const one = await transaction.row(sql`
    select 1 from deliveries where mailing = ${id} and state in ('queued', 'sending', 'held')
    limit 1`)
  return one !== undefined
}

interface Due {
  id: number
  from: number
  /** A mail of this letter that was cancelled before it was sent. Null: there is none. */
  cancelled: number | null
}

/** Queues the people for whom the letter of the series has fallen due, in that order. */
async function queueDue(
  context: SendContext,
  transaction: Transaction,
  letter: Mailing,
  { room, now }: Page,
): Promise<boolean> {
  if (room <= 0 || isBeingTyped(letter, now)) return false
  const newest = now - letter.afterDays! * dayMs
  const due = await findDue(transaction, letter, { room, newest })
  const last = due.length === room ? due.at(-1) : undefined
  if (due.length > 0) await queueLetter(context, transaction, letter, { due, now })
  const cursor = last ?? { from: newest, id: Number.MAX_SAFE_INTEGER }
  if (due.length > 0 || cursor.from > letter.cursorAt + hourMs) {
    await transaction.run(sql`
      update mailings set cursor_at = ${cursor.from}, cursor_id = ${cursor.id},
        to_send = to_send + ${due.length}
      where id = ${letter.id}`)
  }
  return last !== undefined
}

/** It is saved as it is typed, and half a sentence is for nobody. The clock may have been wrong. */
function isBeingTyped({ changedAt }: Mailing, now: number): boolean {
  return Math.abs(now - changedAt) < restMs
}

const restMs = 60_000

/** With nobody due, a write an hour is enough. */
const hourMs = 60 * 60_000

/** In the order in which they fell due, after those who had their turn. */
function findDue(
  transaction: Transaction,
  letter: Mailing,
  { room, newest }: { room: number; newest: number },
): Promise<Due[]> {
  const { id, cursorAt, cursorId } = letter
  const oldest = newest - seriesLateMs
  const after = cursorAt >= oldest ? { from: cursorAt, id: cursorId } : { from: oldest, id: 0 }
  return transaction.rows<Due>(sql`
    select s.id, s.series_from as "from", d.id as cancelled
    from subscribers s left join deliveries d on d.mailing = ${id} and d.subscriber = s.id
    where s.series_from is not null and (s.series_from, s.id) > (${after.from}, ${after.id})
      and s.series_from <= ${newest} and ${isInAudience(letter)}
      and (d.id is null or d.state = 'cancelled')
    order by s.series_from, s.id limit ${room}`)
}

async function queueLetter(
  { site, config }: SendContext,
  transaction: Transaction,
  letter: Mailing,
  { due, now }: { due: readonly Due[]; now: number },
): Promise<void> {
  const { composeMailing } = await import('../compose.ts')
  const { content, mails } = site.current
  const template = await keepTemplate(transaction, composeMailing({ content, mails }, letter))
  await transaction.run(sql`update mailings set template = ${template} where id = ${letter.id}`)
  for (const { id: subscriber, cancelled } of due) {
    if (cancelled === null) {
      await queue(transaction, { subscriber, mailing: letter.id, template, config, now })
    } else {
      // They agreed again: a mail that was cancelled before it was sent goes now, with its
      // Message-ID.
      await transaction.run(sql`
        update deliveries set state = 'queued', template = ${template}, due_at = ${now},
          queued_at = ${now}, finished_at = null, failures = 0, last_fault = null
        where id = ${cancelled}`)
    }
  }
  await countQueued(transaction, due.length, now)
}

interface Queued extends Pick<SendContext, 'config'> {
  subscriber: number
  mailing: number
  template: string
  now: number
}

async function queue(transaction: Transaction, { config, ...mail }: Queued): Promise<void> {
  const { senderDomain } = config
  await queueMail(transaction, { ...mail, senderDomain, priority: mailingPriority })
}
