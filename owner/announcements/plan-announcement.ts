import { sql } from 'kysely'
import type { KitRelease } from '#content/releases.ts'
import type { Connection } from '#server/database/database.ts'
import { readSetting, settingNames } from '#server/database/settings.ts'
import { type AnnouncementOrder, endOfDay, readAnnouncement } from './announcements.ts'
import { hoursFor } from './slow-start.ts'

/** `siteMailsPerHour` is Infinity without a ceiling. */
type PlanOptions = Omit<AnnouncementOrder, 'template'> & { siteMailsPerHour: number }
export type AnnouncementPlan = Awaited<ReturnType<typeof planAnnouncement>>

/** Counts whom an announcement would reach now, and estimates how long it would take. */
export async function planAnnouncement(
  connection: Connection,
  { release, to, signedUpFrom = 0, perHour, siteMailsPerHour }: PlanOptions,
) {
  const isInTime = sql`signed_up_at >= ${signedUpFrom} and signed_up_at < ${endOfDay(release)}`
  const version = connection.selectFrom('announcements').where('version', '=', release.version)
  const announced = await version.select('id').executeTakeFirst()
  const deliveries = sql`left join deliveries d on d.announcement = ${announced?.id} and d.subscriber = s.id`
  const kind = sql`case ${announced ? sql`when d.id is not null then 'announcedTo'` : sql``}
    when s.state = 'unsubscribed' then 'left' when s.state = 'undeliverable' then 'undeliverable'
    when not (${isInTime}) then 'outOfTime' when announcements_agreed_at is not null then 'asked'
    when announcements_refused_at is not null then 'turnedOff' else 'neverAsked' end`
  /** Everybody in the database, by the reason why they get this announcement or not. */
  const people = {
    asked: 0,
    neverAsked: 0,
    turnedOff: 0,
    /** They have this version, or signed up before --since. */
    outOfTime: 0,
    left: 0,
    undeliverable: 0,
    /** Have a delivery of this announcement. They are counted here alone. */
    announcedTo: 0,
  }
  const { rows } = await sql<{ kind: keyof typeof people; count: number }>`
    select kind, count(*) as count from (
      select ${kind} as kind from subscribers s ${announced ? deliveries : sql``}
    ) as kinds group by kind`.execute(connection)
  for (const row of rows) people[row.kind] = row.count
  const audience = people.asked + (to === 'everyone' ? people.neverAsked : 0)
  const hours = hoursFor(audience, perHour, siteMailsPerHour)
  return { version: release.version, to, audience, people, hours }
}

/**
 * Returns when a backup was restored without what was sent since, in ms since 1970: the version may have been announced then.
 * Undefined: there was no such restore since the release, or the database has the announcement.
 */
export async function findLossyRestore(
  connection: Connection,
  { version, date }: KitRelease,
): Promise<number | undefined> {
  const restoredAt = Number((await readSetting(connection, settingNames.lossyRestore)) ?? -Infinity)
  const isKnown = restoredAt < Date.parse(date) || (await readAnnouncement(connection, version)) !== undefined
  return isKnown ? undefined : restoredAt
}
