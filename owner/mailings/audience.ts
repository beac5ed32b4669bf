import sql, { join, type Sql } from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { cameBy } from '#owner/people/campaigns.ts'
import type { SubscriberState } from '#server/subscribers/subscribers.ts'
import type { Mailing, Recipients } from './mailings.ts'

/**
 * True for a subscriber `s` on the list whom it is for. Who turned news off gets none. Asked when a
 * page of mail is queued, and again right before each mail goes.
 */
export function isRecipient(mailing: Recipients & Pick<Mailing, 'afterDays'>): Sql {
  const { to, campaigns, notMailing, signedUpBefore, afterDays } = mailing
  const agreed = sql`s.announcements_agreed_at is not null`
  const conditions = [
    sql`s.state = 'active'`,
    to === 'consented' ? agreed : sql`s.announcements_refused_at is null`,
  ]
  if (afterDays !== null) conditions.push(sql`s.series_from is not null`)
  if (signedUpBefore !== null) conditions.push(sql`s.signed_up_at < ${signedUpBefore}`)
  if (campaigns) conditions.push(cameBy(campaigns, 's'))
  if (notMailing !== null) {
    conditions.push(sql`not exists (select 1 from deliveries had
      where had.mailing = ${notMailing} and had.subscriber = s.id and had.state = 'sent')`)
  }
  return join(conditions, ' and ')
}

/** Everybody on the list, by the reason why they get a mailing or not. */
export interface PeopleByReason {
  agreed: number
  neverAsked: number
  turnedOff: number
  /** They signed up after the version came out. */
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

/** Counts whom a mailing would reach now: a list of a million takes 0.1 s. */
export async function countAudience(reader: Reader, mailing: Recipients): Promise<AudienceCount> {
  const people: PeopleByReason = {
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
  const { notMailing } = mailing
  for (const group of await readGroups(reader, sql`subscribers s`, mailing)) {
    addGroup(people, mailing, group, 1)
  }
  if (notMailing !== null) {
    const had = sql`deliveries d join subscribers s on s.id = d.subscriber
      and d.mailing = ${notMailing} and d.state = 'sent'`
    for (const group of await readGroups(reader, had, mailing)) {
      people.haveTheOther += group.people
      addGroup(people, mailing, group, -1)
    }
  }
  const recipients = people.agreed + (mailing.to === 'everyone' ? people.neverAsked : 0)
  return { recipients, people }
}

/** People of one campaign and state. */
interface Group {
  campaign: string
  state: SubscriberState
  people: number
  tooLate: number
  /** Counts those who are not too late. */
  turnedOff: number
  agreed: number
}

/** In the order of an index that has all of it. */
function readGroups(reader: Reader, from: Sql, { signedUpBefore }: Recipients): Promise<Group[]> {
  const before = signedUpBefore ?? Number.MAX_SAFE_INTEGER
  const countOf = (value: Sql) => sql`count(case when s.signed_up_at < ${before} then ${value} end)`
  return reader.rows<Group>(sql`
    select coalesce(s.campaign, 'none') as campaign, s.state, count(*) as people,
      count(*) - ${countOf(sql`1`)} as "tooLate",
      ${countOf(sql`s.announcements_refused_at`)} as "turnedOff",
      ${countOf(sql`s.announcements_agreed_at`)} as agreed
    from ${from}
    group by s.campaign, s.state`)
}

/** `times`: -1 takes the group off. */
function addGroup(
  people: PeopleByReason,
  { campaigns }: Recipients,
  group: Group,
  times: 1 | -1,
): void {
  const { state, tooLate, turnedOff, agreed } = group
  if (state !== 'active') {
    people[state] += times * group.people
    return
  }
  people.haveTheVersion += times * tooLate
  const inTime = group.people - tooLate
  if (campaigns && !campaigns.includes(group.campaign)) {
    people.otherCampaign += times * inTime
    return
  }
  people.turnedOff += times * turnedOff
  people.agreed += times * agreed
  people.neverAsked += times * (inTime - turnedOff - agreed)
}
