import sql, { type Sql } from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import type { SubscriberState } from '#server/subscribers/subscribers.ts'
import type { Cover } from '#server/subscribers/wordings.ts'
import { type Announceable, type Audience, beforeStartMs } from './announcements.ts'

/** Everybody on the list, by the reason why they get an announcement or not. */
export interface PeopleByReason {
  asked: number
  /** For a letter: the words that they agreed to cover versions only. */
  askedForVersions: number
  neverAsked: number
  turnedOff: number
  /** They signed up too late. */
  tooLate: number
  /** They came by another campaign than those it is for. */
  otherCampaign: number
  unsubscribed: number
  undeliverable: number
  blocked: number
  /** They have a mail of this announcement, and are counted here alone. */
  announcedTo: number
}

export interface Plan {
  to: Audience
  /** People who would get it. */
  audience: number
  people: PeopleByReason
}

/** A draft has no name yet, so nobody has a mail of it. */
interface Planned extends Omit<Announceable, 'name'> {
  name?: string | undefined
  /** Everybody, if it is undefined. */
  campaigns?: readonly string[] | undefined
}

/** Counts whom an announcement would reach now. */
export async function planAnnouncement(
  reader: Reader,
  planned: Planned,
  { to, now }: { to: Audience; now: number },
): Promise<Plan> {
  const { name, signedUpBefore = now + beforeStartMs } = planned
  const people: PeopleByReason = {
    asked: 0,
    askedForVersions: 0,
    neverAsked: 0,
    turnedOff: 0,
    tooLate: 0,
    otherCampaign: 0,
    unsubscribed: 0,
    undeliverable: 0,
    blocked: 0,
    announcedTo: 0,
  }
  for (const group of await readGroups(reader, sql`subscribers s`, signedUpBefore)) {
    addGroup(people, planned, group, 1)
  }
  if (name !== undefined) {
    const withMail = sql`announcements a
      join deliveries d on d.announcement = a.id and a.name = ${name}
      join subscribers s on s.id = d.subscriber`
    for (const group of await readGroups(reader, withMail, signedUpBefore)) {
      people.announcedTo += group.people
      addGroup(people, planned, group, -1)
    }
  }
  const audience =
    people.asked + (to === 'everyone' ? people.neverAsked + people.askedForVersions : 0)
  return { to, audience, people }
}

/** People of one campaign, state and cover. */
interface Group {
  campaign: string
  state: SubscriberState
  /** The consent of those who agreed. */
  cover: Cover | null
  people: number
  tooLate: number
  /** Counts those who are not too late. */
  turnedOff: number
  agreed: number
}

/** In the order of an index that has all of it: a list of a million is read in 0.1 s. */
function readGroups(reader: Reader, from: Sql, signedUpBefore: number): Promise<Group[]> {
  const countOf = (value: Sql) =>
    sql`count(case when s.signed_up_at < ${signedUpBefore} then ${value} end)`
  return reader.rows<Group>(sql`
    select coalesce(s.campaign, 'none') as campaign, s.state, s.announcements_cover as cover,
      count(*) as people, count(*) - ${countOf(sql`1`)} as "tooLate",
      ${countOf(sql`s.announcements_refused_at`)} as "turnedOff",
      ${countOf(sql`s.announcements_agreed_at`)} as agreed
    from ${from}
    group by s.campaign, s.state, s.announcements_cover`)
}

/** `times`: -1 takes the group off. */
function addGroup(
  people: PeopleByReason,
  { kind, campaigns }: Planned,
  group: Group,
  times: 1 | -1,
): void {
  const { state, cover, tooLate, turnedOff, agreed } = group
  if (state !== 'active') {
    people[state] += times * group.people
    return
  }
  people.tooLate += times * tooLate
  const inTime = group.people - tooLate
  if (campaigns && !campaigns.includes(group.campaign)) {
    people.otherCampaign += times * inTime
    return
  }
  const isForVersions = kind === 'letter' && cover === 'versions'
  people.turnedOff += times * turnedOff
  people[isForVersions ? 'askedForVersions' : 'asked'] += times * agreed
  people.neverAsked += times * (inTime - turnedOff - agreed)
}
