import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { makeMailingList, type MailingList } from '#rigs/owner/mailing-list.ts'
import { queueAnnouncement } from '#rigs/server/queue-announcement.ts'
import { type PeopleByReason, planAnnouncement } from './plan.ts'

const nobody: PeopleByReason = {
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

test('each person on the list is counted once, by what decides first', async () => {
  const list = await makeMixedList()
  expect(await peopleOf(list, { campaigns: ['launch'] })).toEqual({
    asked: 2,
    askedForVersions: 3,
    neverAsked: 4,
    turnedOff: 5,
    tooLate: 6,
    otherCampaign: 7,
    unsubscribed: 1,
    undeliverable: 2,
    blocked: 3,
    announcedTo: 0,
  })
})

test('without a choice of campaigns, nobody is of another one', async () => {
  const list = await makeMixedList()
  expect(await peopleOf(list)).toMatchObject({ asked: 9, otherCampaign: 0 })
})

test('people without a campaign are of the campaign "none"', async () => {
  const list = await makeMailingList()
  await list.signUp(named('asked', 2), { asked: 'news' })
  expect(await peopleOf(list, { campaigns: ['none'] })).toEqual({ ...nobody, asked: 2 })
})

test('a version is for those who agreed to versions, too', async () => {
  const list = await makeMixedList()
  const { people } = await planAnnouncement(
    list.database,
    { kind: 'version', campaigns: ['launch'] },
    { to: 'consented', now: list.now() },
  )
  expect(people).toMatchObject({ asked: 5, askedForVersions: 0 })
})

test('an announcement to everyone reaches also those who agreed to versions, or were never asked', async () => {
  const list = await makeMixedList()
  const planned = { kind: 'letter', campaigns: ['launch'] } as const
  const planTo = (to: 'consented' | 'everyone') =>
    planAnnouncement(list.database, planned, { to, now: list.now() })
  expect(await planTo('consented')).toMatchObject({ to: 'consented', audience: 2 })
  expect(await planTo('everyone')).toMatchObject({ to: 'everyone', audience: 2 + 3 + 4 })
})

test('whoever has a mail of the announcement is counted by that alone', async () => {
  const list = await makeMixedList()
  const name = await mailEverybody(list)
  expect(await peopleOf(list, { name, campaigns: ['launch'] })).toEqual({
    ...nobody,
    announcedTo: 2 + 3 + 4 + 5 + 6 + 7 + 1 + 2 + 3,
  })
})

/** People of the campaign `launch`, but for seven. A number of them for each reason. */
async function makeMixedList(): Promise<MailingList> {
  const list = await makeMailingList()
  await list.signUp(named('asked', 2), { asked: 'news' })
  await list.signUp(named('askedForVersions', 3), { asked: 'versions' })
  await list.signUp(named('neverAsked', 4))
  await list.signUp(named('turnedOff', 5))
  await list.signUp(named('tooLate', 6), { asked: 'news', at: list.now() + 60 * 60_000 })
  await list.signUp(named('otherCampaign', 7), { asked: 'news' })
  await list.signUp(named('unsubscribed', 1), { asked: 'news' })
  await list.signUp(named('undeliverable', 2), { asked: 'news' })
  await list.signUp(named('blocked', 3), { asked: 'news' })
  const nameOf = sql`substr(address, 1, length(address) - 2)`
  await change(list, sql`update subscribers set campaign = 'launch'`)
  await change(
    list,
    sql`update subscribers set campaign = 'other' where ${nameOf} = 'otherCampaign'`,
  )
  await change(
    list,
    sql`update subscribers set announcements_refused_at = 1 where ${nameOf} = 'turnedOff'`,
  )
  await change(
    list,
    sql`update subscribers set state = ${nameOf}
      where ${nameOf} in ('unsubscribed', 'undeliverable', 'blocked')`,
  )
  return list
}

/** Returns the announcement's name. */
async function mailEverybody(list: MailingList): Promise<string> {
  const [first = ''] = named('asked', 1)
  const { announcement } = await queueAnnouncement(list.database, {
    subscriber: await list.idOf(first),
    now: list.now(),
  })
  await change(
    list,
    sql`
      insert into deliveries (subscriber, announcement, message_id, template, state, priority,
        due_at, waits_since, queued_at)
      select s.id, a.id, s.address, a.template, 'sent', 9, 0, 0, 0
      from subscribers s, announcements a
      where a.id = ${announcement}
        and s.id not in (select subscriber from deliveries where announcement = ${announcement})`,
  )
  const row = await list.database.row<{ name: string }>(
    sql`select name from announcements where id = ${announcement}`,
  )
  return row!.name
}

/** Addresses such as `asked-1`. */
function named(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`)
}

async function peopleOf(
  list: MailingList,
  planned: { name?: string; campaigns?: string[] } = {},
): Promise<PeopleByReason> {
  const options = { to: 'consented', now: list.now() } as const
  const { people } = await planAnnouncement(list.database, { kind: 'letter', ...planned }, options)
  return people
}

async function change({ database }: MailingList, query: Sql): Promise<void> {
  await database.transaction((transaction) => transaction.run(query))
}
