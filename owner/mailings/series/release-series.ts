import sql from 'sql-template-tag'
import { canTrustClock, dayMs } from '#server/database/clock.ts'
import type { Transaction } from '#server/database/database.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { announcementPriority, queueMail } from '#server/deliveries/deliveries.ts'
import { seriesLateMs } from '#server/deliveries/one-mail-a-day.ts'
import type { ServerContext } from '#server/start/context.ts'
import { lockAnnouncement, pause } from '../announcements.ts'
import { type PaceSoFar, readRoom } from '../pace/room.ts'
import { pauseReason } from '../pace/sample.ts'
import { hourMs } from '../pace/slow-start.ts'
import { pageMails, queueHeld, releaseInPages } from '../release.ts'
import { countWhatIsOver } from './figures.ts'
import { readSeriesRows, type SeriesRow, wordsOf } from './letters.ts'

type SeriesReleaseContext = Pick<
  ServerContext,
  'config' | 'database' | 'now' | 'site' | 'wakeDeliveries'
>

/**
 * Queues the letters of the series that have fallen due, and keeps their figures. An index decides
 * who is due. Every instance runs it: a lock in the database lets one at a time release a page.
 * `uptimeMs`: of this process.
 */
export async function releaseSeries(
  context: SeriesReleaseContext,
  uptimeMs = performance.now(),
): Promise<void> {
  const { database, now } = context
  const letters = await readSeriesRows(database)
  for (const letter of letters) {
    if (letter.state === 'running') {
      const { name } = letter
      await releaseInPages(context, name, (soFar) => releasePage(context, name, soFar))
    }
    // A clock that is ahead would count mails as over that are sent after it is set right.
    if (canTrustClock(uptimeMs)) await countWhatIsOver(database, letter, now())
  }
}

/** False: nothing is left to do now. */
function releasePage(
  context: SeriesReleaseContext,
  name: string,
  soFar: PaceSoFar,
): Promise<boolean> {
  const { database, config, now: clock } = context
  return database.transaction(async (transaction) => {
    await lockAnnouncement(transaction, name)
    const letter = (await readSeriesRows(transaction)).find((row) => row.name === name)
    if (letter?.state !== 'running' || letter.resumedAt !== soFar.resumedAt) return false
    const now = clock()
    const why = pauseReason(soFar.sample)
    if (why !== undefined) {
      await pause(transaction, letter.id, { why, now })
      return false
    }
    const pace = { ...letter, siteMailsPerHour: config.siteMailsPerHour }
    const room = Math.min(pageMails, await readRoom(transaction, pace, soFar, now))
    if (room <= 0) return false
    if (await queueHeld(transaction, letter.id, room, now)) return true
    return queueDue(context, transaction, letter, { room, now })
  })
}

interface Due {
  id: number
  from: number
  /** A mail of this letter that was cancelled before it was sent. Null: there is none. */
  cancelled: number | null
}

async function queueDue(
  { config, site }: SeriesReleaseContext,
  transaction: Transaction,
  letter: SeriesRow,
  { room, now }: { room: number; now: number },
): Promise<boolean> {
  const newest = now - letter.afterDays * dayMs
  const due = await findDue(transaction, letter, { room, newest })
  if (due.length > 0) {
    // Markdown and its text part take up memory on a server that sends no letters.
    const { composeAnnouncement } = await import('../announcement-mail.ts')
    const { content, mails } = site.current
    const words = { kind: 'letter' as const, ...wordsOf(letter, content) }
    const mail = composeAnnouncement({ content, mails }, 'consented', words)
    const template = await keepTemplate(transaction, mail)
    const { senderDomain } = config
    for (const one of due) await queueOne(transaction, one, { letter, template, senderDomain, now })
  }
  const last = due.length === room ? due.at(-1) : undefined
  const upTo = last ?? { from: newest, id: Number.MAX_SAFE_INTEGER }
  // A clock that was set back lets nobody have a second turn.
  if (upTo.from < letter.upTo) return false
  // With nobody due, a write an hour is enough.
  if (due.length === 0 && upTo.from < letter.upTo + hourMs) return false
  await transaction.run(sql`
    update announcements set series_up_to = ${upTo.from}, released_up_to = ${upTo.id},
      came_due = came_due + ${due.length}
    where id = ${letter.id}`)
  return last !== undefined
}

/** In the order in which they fell due, after those who had their turn. */
function findDue(
  transaction: Transaction,
  { id, upTo, releasedUpTo }: SeriesRow,
  { room, newest }: { room: number; newest: number },
): Promise<Due[]> {
  const oldest = newest - seriesLateMs
  const after = upTo >= oldest ? { from: upTo, id: releasedUpTo } : { from: oldest, id: 0 }
  return transaction.rows<Due>(sql`
    select s.id, s.series_from as "from", d.id as cancelled
    from subscribers s
      left join deliveries d on d.announcement = ${id} and d.subscriber = s.id
    where s.series_from is not null and (s.series_from, s.id) > (${after.from}, ${after.id})
      and s.series_from <= ${newest}
      and s.state = 'active' and (d.id is null or d.state = 'cancelled')
    order by s.series_from, s.id limit ${room}`)
}

interface Queueing {
  letter: SeriesRow
  template: string
  senderDomain: string
  now: number
}

/**
 * A mail that was cancelled before it was sent goes now, with its Message-ID: they agreed again.
 */
async function queueOne(
  transaction: Transaction,
  { id: subscriber, cancelled }: Due,
  { letter, template, senderDomain, now }: Queueing,
): Promise<void> {
  if (cancelled === null) {
    await queueMail(transaction, {
      subscriber,
      template,
      senderDomain,
      now,
      announcement: letter.id,
      priority: announcementPriority,
    })
    return
  }
  await transaction.run(sql`
    update deliveries
    set state = 'queued', template = ${template}, due_at = ${now}, waits_since = ${now},
      queued_at = ${now}, finished_at = null, failures = 0, last_fault = null
    where id = ${cancelled}`)
}
