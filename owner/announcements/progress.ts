import sql, { type Sql } from 'sql-template-tag'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { pieces } from '../subscribers/list-subscribers.ts'
import type { AnnouncementRow } from './announcements.ts'
import { isRecipient, readSample } from './release.ts'
import { mailsInHour } from './slow-start.ts'

export type AnnouncementProgress = Awaited<ReturnType<typeof readProgress>>[number]

/** Returns announcements, the newest first. `name`: one of them. Times are ms since 1970. */
export async function readProgress(database: Database, now: number, name?: string) {
  const which = name === undefined ? sql`` : sql`where name = ${name}`
  const rows = await database.rows<AnnouncementRow & { mail: string }>(sql`
    select a.*, t.content as mail from announcements a join mail_templates t on t.hash = a.template ${which} order by id desc`)
  return Promise.all(rows.map((row) => progressOf(database, row, now)))
}

async function progressOf(database: Database, row: AnnouncementRow & { mail: string }, now: number) {
  const { subject }: StarterEmailTemplate = JSON.parse(row.mail) // as keepTemplate wrote it
  const isOver = row.state === 'done' || row.state === 'cancelled'
  const stillToCome = isOver ? 0 : await countStillToCome(database, row)
  // After those still to come: a page that is released meanwhile is counted twice rather than not at all.
  const counts = await countByState(database, row.id)
  return {
    name: row.name,
    kind: row.kind,
    /** Of a letter. */
    subject: row.kind === 'letter' ? subject : '',
    to: row.audience,
    state: row.state === 'running' && now < row.starts_at ? ('starting' as const) : row.state,
    startsAt: row.starts_at,
    endedAt: row.ended_at,
    /** Null: the owner paused it, or it has not paused. */
    pausedWhy: row.paused_why,
    /** Null: a slow start. */
    perHour: row.per_hour,
    mostPerHour: row.most_per_hour,
    /** The sum of the next six. */
    recipients: Object.values(counts).reduce((sum, count) => sum + count, stillToCome),
    ...counts,
    /** Not queued yet. */
    stillToCome,
  }
}

async function countByState(reader: Reader, id: number) {
  const counts = { sent: 0, failed: 0, waiting: 0, held: 0, cancelled: 0 }
  const rows = await reader.rows<{ shown: keyof typeof counts; count: number }>(sql`
    select case when state in ('queued', 'sending') then 'waiting' else state end as shown, count(*) as count
    from deliveries where announcement = ${id} group by 1`)
  for (const { shown, count } of rows) counts[shown] = count
  return counts
}

async function countStillToCome(
  database: Database,
  { id, released_up_to }: AnnouncementRow,
): Promise<number> {
  const select = (isInPiece: Sql) => sql`
    select count(*) as count from subscribers s join announcements a on a.id = ${id}
    where ${isInPiece} and ${isRecipient}`
  let all = 0
  for await (const [piece] of pieces<{ count: number }>(database, select, released_up_to)) all += piece!.count
  return all
}

const hourMs = 60 * 60_000
const reasonsShown = 10

/** How one announcement went so far, or undefined. `faults`: the reasons of failed mails, the most frequent first. */
export async function readCourse(reader: Reader, name: string, siteMailsPerHour: number) {
  const row = await reader.row<AnnouncementRow>(sql`select * from announcements where name = ${name}`)
  if (!row) return undefined
  const { id, starts_at, resumed_at, per_hour: perHour, most_per_hour: mostPerHour } = row
  const hoursBefore = Math.max(0, Math.ceil((resumed_at - starts_at) / hourMs))
  const start = resumed_at - hoursBefore * hourMs
  const sentByHour = await reader.rows<{ hour: number; sent: number }>(sql`
    select hour, count(*) as sent from (
      select cast((finished_at - ${start}) / ${hourMs} as bigint) as hour from deliveries
      where announcement = ${id} and state = 'sent' and finished_at >= ${start}
    ) as hours group by hour order by hour`)
  const faults = await reader.rows<{ fault: string; count: number }>(sql`
    select last_fault as fault, count(*) as count from deliveries
    where announcement = ${id} and state = 'failed' group by last_fault order by count desc limit ${reasonsShown}`)
  const hours = sentByHour.map(({ hour, sent }) => {
    const admitted = mailsInHour(hour - hoursBefore, { perHour, mostPerHour, siteMailsPerHour })
    // What was admitted before the last pause is not kept.
    return { at: start + hour * hourMs, sent, admitted: hour < hoursBefore ? sent : Math.max(admitted, sent) }
  })
  return { hours, sample: await readSample(reader, row), faults }
}
