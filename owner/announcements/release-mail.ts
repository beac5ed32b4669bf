import { sql } from 'kysely'
import { type Connection, type Database, inTransaction } from '#server/database/database.ts'
import { announcementLane, parkedUntil } from '#server/deliveries/lanes.ts'
import type { ExtensionContext, RunningExtension } from '#server/start/extension.ts'
import { repeat } from '#server/start/repeat.ts'
import { type AnnouncementRow, lockAnnouncement, pause } from './announcements.ts'
import { queueRecipients } from './queue-recipients.ts'
import { ownerMailText } from '#content/owner-mail.ts'
import { settingPrefixes } from '#server/database/settings.ts'
import { type OwnerMailDeps, readKept, sendOnce } from '../weekly-report/send-once.ts'

export const returnedLimit = 0.02
const complaintLimit = 0.001

const everyMs = 2_000
const hourMs = 60 * 60_000
/** Released mails that may be unsent at a time: few enough to pause soon, and more than a relay takes in a step. */
const maxUnsent = 500
/** Longer than a lease. */
const soonMs = 60_000
/** The share of returned mail is computed over at least this many, so that one early bad address pauses nothing. */
const minSample = 50
/** The share of returned mail is computed over this many of the last mails. */
export const sampleSize = 500

/** Releases the mails of announcements in steps, on every instance, and continues the queueing of a killed process. */
export function startReleasing(context: ExtensionContext, ownerMail?: OwnerMailDeps): RunningExtension {
  const { database, config, log, now } = context
  const releasing = repeat(everyMs, async () => {
    try {
      const announcements = database.query.selectFrom('announcements').where('state', '=', 'running')
      for (const { id, is_queued } of await announcements.select(['id', 'is_queued']).execute()) {
        if (is_queued === 0) await queueRecipients(database, id, { senderDomain: config.senderDomain, now })
        if ((await releaseMail(database, id, now())) > 0) context.wakeDeliveries()
      }
      if (ownerMail) await reportPauses(ownerMail)
    } catch (cause) {
      log.warn('cannot send announcements, trying again', { cause })
    }
  })
  releasing.run()
  return releasing
}

/**
 * Pauses the announcement if too much came back, otherwise makes as many mails due as the hour has room for. The state is in the
 * announcement's row, so it survives a restart and all instances share one hour. Returns how many mails were made due.
 */
export async function releaseMail({ query }: Database, id: number, now: number): Promise<number> {
  return inTransaction(query, async (transaction) => {
    const row = await lockAnnouncement(transaction, id)
    if (row?.state !== 'running') return 0
    const figures = await readFigures(transaction, row, now)
    if (!figures.isWaiting && row.is_queued === 1) {
      await transaction.updateTable('announcements').set({ state: 'done' }).where('id', '=', id).execute()
      return 0
    }
    const why = pauseReason(figures, row.complaints)
    if (why !== undefined) {
      await pause(transaction, row, why, now)
      return 0
    }
    const hour = now < row.hour_ends_at ? row : nextHour(row, figures, now)
    const room = Math.min(hour.allowance - hour.released, maxUnsent - figures.unsent)
    const due = room > 0 ? await makeDue(transaction, id, room, now) : 0
    const { allowance, hour_ends_at } = hour
    await transaction
      .updateTable('announcements')
      .set({ allowance, hour_ends_at, released: hour.released + due })
      .where('id', '=', id)
      .execute()
    return due
  })
}

/** Doubles the allowance of a slow start if little came back and at least half of the last one was sent. */
function nextHour(
  { per_hour, allowance, released, hour_ends_at, complaints }: AnnouncementRow,
  figures: Figures,
  now: number,
) {
  const isUsed = hour_ends_at !== 0 && released - figures.unsent >= allowance / 2
  const mayDouble = isUsed && shareReturned(figures) < returnedLimit && complaints === 0
  return {
    allowance: per_hour ?? (mayDouble ? allowance * 2 : allowance),
    released: 0,
    hour_ends_at: now + hourMs,
  }
}

/** Returns the reason for a pause; undefined if the announcement may go on. */
function pauseReason(figures: Figures, complaints: number): string | undefined {
  const { finished, sample, returned } = figures
  if (shareReturned(figures) > returnedLimit) return `${returned} of the last ${sample} failed or came back`
  if (complaints > complaintLimit * finished) return `${complaints} of ${finished} were called spam`
  return undefined
}

function shareReturned({ sample, returned }: Figures): number {
  return returned / Math.max(sample, minSample)
}

type Figures = Awaited<ReturnType<typeof readFigures>>

/**
 * Counts mails `finished` since the start or the last resume, and how many of the last 500 (`sample`) were returned. Each part
 * reads a short range of an index, however many recipients there are.
 */
async function readFigures(connection: Connection, { id, judged_from }: AnnouncementRow, now: number) {
  const unfinished = sql`state in ('queued', 'sending') and lane = ${sql.lit(announcementLane)} and announcement = ${id}`
  const finished = sql`announcement = ${id} and finished_at >= ${judged_from}`
  type Counts = Record<'unsent' | 'finished' | 'sample' | 'returned', number>
  const { rows } = await sql<Counts & { waiting: number | null }>`
    select (select max(lane) from (select lane from deliveries where ${unfinished} limit 1) as one) as waiting,
      (select count(*) from deliveries where ${unfinished} and due_at <= ${now + soonMs}) as unsent,
      (select count(*) from deliveries where ${finished}) as finished,
      count(*) as sample, count(*) filter (where d.state = 'failed' or s.state = 'undeliverable') as returned
    from (select subscriber, state from deliveries where ${finished} and state in ('sent', 'failed')
      order by finished_at desc limit ${sampleSize}) as d join subscribers s on s.id = d.subscriber`.execute(
    connection,
  )
  const { waiting, ...figures } = rows[0]!
  return { ...figures, isWaiting: waiting !== null }
}

/** Makes parked mails due. A mail's date is that of its release; one that was tried before keeps its date, and so its bytes. */
async function makeDue(connection: Connection, id: number, most: number, now: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries set due_at = ${now}, queued_at = case when failures = 0 then ${now} else queued_at end
    where id in (
      select id from deliveries
      where state in ('queued', 'sending') and lane = ${announcementLane} and due_at = ${parkedUntil}
        and announcement = ${id} and state = 'queued'
      order by id limit ${most}
    )`.execute(connection)
  return Number(numAffectedRows ?? 0)
}

/** Mails the owner once about each automatic pause, and retries until the relay accepts that mail. */
export async function reportPauses(deps: OwnerMailDeps): Promise<void> {
  const { database } = deps
  const paused = await database.query
    .selectFrom('announcements')
    .select(['version', 'paused_why', 'paused_at'])
    .where('state', '=', 'paused')
    .where('paused_why', 'is not', null)
    .execute()
  for (const { version, paused_why: why, paused_at: pausedAt } of paused) {
    const kept = await readKept(database, `${settingPrefixes.announcement}${version}`, 0)
    if (kept.state === pausedAt) continue
    const mail = ownerMailText.announcementPaused(version, why ?? '')
    await sendOnce(deps, kept, { key: String(pausedAt), mail, before: kept.state, after: pausedAt ?? 0 })
  }
}
