import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { queueAnnouncement } from '#rigs/server/queue-announcement.ts'
import { readUnderWay } from './progress.ts'

test('of several announcements the newest that goes on or has paused is under way', async () => {
  const announcements = await makeAnnouncements()
  expect(await announcements.underWay()).toBeUndefined()
  await announcements.add('running')
  const paused = await announcements.add('paused')
  await announcements.add('done')
  await announcements.add('cancelled')
  expect(await announcements.underWay()).toMatchObject({ id: paused, state: 'paused' })
})

test('a letter of the series is not under way', async () => {
  const announcements = await makeAnnouncements()
  await announcements.add('running', { kind: 'series', afterDays: 1 })
  expect(await announcements.underWay()).toBeUndefined()
})

test('an announcement starts until its time has come', async () => {
  const announcements = await makeAnnouncements()
  await announcements.add('running')
  expect(await announcements.underWay(-1)).toMatchObject({ state: 'starting' })
  expect(await announcements.underWay(0)).toMatchObject({ state: 'running' })
})

test('an announcement that was paused before its start is paused', async () => {
  const announcements = await makeAnnouncements()
  await announcements.add('paused')
  expect(await announcements.underWay(-1)).toMatchObject({ state: 'paused' })
})

test('the progress of an announcement has these fields', async () => {
  const announcements = await makeAnnouncements()
  await announcements.add('running')
  expect(Object.keys((await announcements.underWay())!).toSorted()).toEqual([
    'campaigns',
    'cancelled',
    'endedAt',
    'failed',
    'held',
    'id',
    'kind',
    'mostPerHour',
    'name',
    'pausedWhy',
    'perHour',
    'preview',
    'recipients',
    'resumedAt',
    'sendAt',
    'sent',
    'signedUpBefore',
    'startsAt',
    'state',
    'stillToCome',
    'subject',
    'to',
    'waiting',
  ])
})

/** They all begin at the list's start. */
async function makeAnnouncements() {
  const { database, start, ...list } = await makeMailingList()
  await list.signUp(['ada@example.com'])
  const subscriber = await list.idOf('ada@example.com')
  return {
    /** Returns its number. */
    async add(state: string, options: { kind?: 'series'; afterDays?: number } = {}) {
      const { announcement } = await queueAnnouncement(database, {
        subscriber,
        now: start,
        ...options,
      })
      await database.transaction((transaction) =>
        transaction.run(sql`update announcements set state = ${state} where id = ${announcement}`),
      )
      return announcement
    },
    /** `at`: ms after the start. */
    underWay: (at = 0) => readUnderWay(database, start + at),
  }
}
