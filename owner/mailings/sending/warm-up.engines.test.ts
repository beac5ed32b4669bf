import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { listOf } from '#rigs/owner/letters.ts'
import { dayMs } from '#server/database/clock.ts'
import { countQueued, readWarmUpRoom, switchWarmUp, warmUpRoom } from './warm-up.ts'

const hourMs = 60 * 60_000

describe('the warm-up', () => {
  test.each([
    { days: 0, before: 0, today: 0, room: 1_000 },
    { days: 0, before: 0, today: 999, room: 1 },
    { days: 1, before: 1_000, today: 0, room: 2_000 },
    { days: 3, before: 300, today: 400, room: 600 },
    { days: 41, before: 5_000, today: 10_000, room: 0 },
    { days: 42, before: 0, today: 9_000, room: Infinity },
  ])(
    'leaves $room after $days days, $before mails before and $today today',
    ({ room, ...sent }) => {
      expect(warmUpRoom(sent)).toBe(room)
    },
  )

  test('counts what was queued, and a day later it lets twice as much go', async () => {
    const list = await listOf({})
    await list.database.transaction((transaction) => countQueued(transaction, 900, list.now()))
    expect(await readWarmUpRoom(list.database, list.now())).toBe(100)
    expect(await readWarmUpRoom(list.database, list.start + dayMs)).toBe(1_800)
  })

  test('counts the hours from the first mail on, is over six weeks after it, and can be off', async () => {
    const { database, start } = await listOf({})
    const count = (mails: number, at: number) =>
      database.transaction((transaction) => countQueued(transaction, mails, at))
    const hour = Math.floor(start / hourMs) * hourMs
    await count(0, hour)
    expect(await database.rows(sql`select * from mailing_hours`)).toEqual([])
    expect(await readWarmUpRoom(database, hour)).toBe(1_000)
    await count(10, hour)
    await count(5, hour + hourMs - 1)
    expect(await database.rows(sql`select mails from mailing_hours`)).toEqual([{ mails: 15 }])
    expect(await readWarmUpRoom(database, hour + 42 * dayMs - 1)).toBe(1_000)
    expect(await readWarmUpRoom(database, hour + 42 * dayMs)).toBe(Infinity)
    await switchWarmUp(database, { isOn: false, now: hour })
    expect(await readWarmUpRoom(database, hour)).toBe(Infinity)
  })
})
