import sql, { join, type Sql } from 'sql-template-tag'
import type { KitRelease } from '#content/releases.ts'
import type { Reader } from '#server/database/database.ts'
import { cameBy } from '#owner/people/campaigns.ts'
import type { SubscriberState } from '#server/subscribers/subscribers.ts'
import type { Audience } from './mailings.ts'

/**
 * True for a subscriber `s` on the list whom it is for. Who turned news off gets none. Asked when a
 * page of mail is queued, and again right before each mail goes.
 */
export function isInAudience(audience: Audience): Sql {
  const { to, campaigns, notMailing, version } = audience
  const agreed = sql`s.announcements_agreed_at is not null`
  const conditions = [
    sql`s.state = 'active'`,
    to === 'consented' ? agreed : sql`s.announcements_refused_at is null`,
  ]
  if (version !== null) conditions.push(hasOlder(audience))
  if (campaigns) conditions.push(cameBy(campaigns, 's'))
  if (notMailing !== null) {
    conditions.push(sql`not exists (select 1 from deliveries had
      where had.subscriber = s.id and ${isSentOf(notMailing)})`)
  }
  return join(conditions, ' and ')
}

/** True for a sent mail `had` of a mailing, or of one that was it again. */
function isSentOf(mailing: number): Sql {
  return sql`had.state = 'sent' and had.mailing in (
    select id from mailings where id = ${mailing} or (not_mailing = ${mailing} and again = 1))`
}

/** True for a subscriber `s` whose newest starter mail had an older version of the kit, or none. */
function hasOlder({ version, versionDate }: Pick<Audience, 'version' | 'versionDate'>): Sql {
  return sql`(s.version is null or s.version_date < ${versionDate}
    or (s.version_date = ${versionDate} and s.version <> ${version}))`
}

/**
 * True if there is a version to tell about: no letter tells of it yet, and one could reach
 * somebody.
 */
export async function isVersionToTell(
  reader: Reader,
  releases: readonly KitRelease[],
): Promise<boolean> {
  const [newest, before] = releases
  if (!newest || !before) return false
  const { version, date: versionDate } = newest
  const told = await reader.row(sql`
    select 1 from mailings
    where version = ${version} and version_date = ${versionDate} and state <> 'cancelled' limit 1`)
  if (told) return false
  const to = { to: 'everyone', campaigns: null, notMailing: null } as const
  const somebody = await reader.row(sql`
    select 1 from subscribers s where ${isInAudience({ ...to, version, versionDate })} limit 1`)
  return somebody !== undefined
}

/** Everybody on the list, by the reason why they get a mailing or not. */
export interface PeopleByReason {
  agreed: number
  neverAsked: number
  turnedOff: number
  /** Their newest starter mail had the version, or a newer one. */
  haveTheVersion: number
  otherCampaign: number
  unsubscribed: number
  undeliverable: number
  blocked: number
  /** They have the mailing that it leaves out, and are counted here alone. */
  haveTheOther: number
}

export interface AudienceCount {
  /** People who would get it. */
  recipients: number
  people: PeopleByReason
}

/** None for any reason. */
export const nobody: PeopleByReason = {
  agreed: 0,
  neverAsked: 0,
  turnedOff: 0,
  haveTheVersion: 0,
  otherCampaign: 0,
  unsubscribed: 0,
  undeliverable: 0,
  blocked: 0,
  haveTheOther: 0,
}

/** Counts whom a mailing would reach now: a list of a million takes 0.1 s. */
export async function countAudience(reader: Reader, audience: Audience): Promise<AudienceCount> {
  const people = { ...nobody }
  const { notMailing } = audience
  for (const group of await readGroups(reader, sql`subscribers s`, audience)) {
    addGroup(people, audience, group, 1)
  }
  if (notMailing !== null) {
    const had = sql`subscribers s join (
      select distinct subscriber from deliveries had where ${isSentOf(notMailing)}
    ) as mailed on mailed.subscriber = s.id`
    for (const group of await readGroups(reader, had, audience)) {
      people.haveTheOther += group.people
      addGroup(people, audience, group, -1)
    }
  }
  const recipients = people.agreed + (audience.to === 'everyone' ? people.neverAsked : 0)
  return { recipients, people }
}

/** People of one campaign and state, with one version of the kit. */
interface Group {
  campaign: string
  state: SubscriberState
  /** 1: the mailing is about this version, or an older one. */
  hasVersion: 0 | 1
  people: number
  turnedOff: number
  agreed: number
}

/** In the order of an index that has all of it. */
function readGroups(reader: Reader, from: Sql, audience: Audience): Promise<Group[]> {
  const hasVersion = audience.version === null ? sql`false` : sql`not ${hasOlder(audience)}`
  return reader.rows<Group>(sql`
    select coalesce(s.campaign, 'none') as campaign, s.state,
      case when ${hasVersion} then 1 else 0 end as "hasVersion", count(*) as people,
      count(s.announcements_refused_at) as "turnedOff", count(s.announcements_agreed_at) as agreed
    from ${from}
    group by s.campaign, s.state, s.version_date, s.version`)
}

/** `times`: -1 takes the group off. */
function addGroup(
  people: PeopleByReason,
  { campaigns }: Audience,
  group: Group,
  times: 1 | -1,
): void {
  const { state, hasVersion, turnedOff, agreed } = group
  const count = (reason: keyof PeopleByReason, number: number) => {
    people[reason] += times * number
  }
  if (state !== 'active') return count(state, group.people)
  if (hasVersion === 1) return count('haveTheVersion', group.people)
  if (campaigns && !campaigns.includes(group.campaign)) return count('otherCampaign', group.people)
  count('turnedOff', turnedOff)
  count('agreed', agreed)
  count('neverAsked', group.people - turnedOff - agreed)
}
