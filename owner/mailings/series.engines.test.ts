import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { act, change, listOf, news, rowOf, save, seriesList } from '#rigs/owner/letters.ts'
import { dayMs, repairClocks } from '#server/database/clock.ts'
import { mailingClockRepairs } from './sending/clock-repairs.ts'
import { addSeries, countMissing } from './series.ts'

describe('a letter of the series', () => {
  test('goes to each person its days after they agreed, once', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 2 })
    await list.days(1)
    expect(list.subjects()).toEqual([])
    await list.days(9)
    expect(list.subjects()).toEqual(['News'])
    expect(await rowOf(list, id)).toMatchObject({ state: 'sending', sent: 1, toSend: 1 })
  })

  test('goes to nobody whose day had passed before it was switched on', async () => {
    const list = await seriesList()
    await list.days(3)
    await list.send({ ...news, afterDays: 2 })
    await list.days(9)
    expect(list.subjects()).toEqual([])
  })

  test('that was removed and restored is the same letter: nobody gets it twice', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 1 })
    await list.days(1)
    await act(list, id, 'cancel')
    await act(list, id, 'restore')
    await save(list, id, { afterDays: 3 })
    await act(list, id, 'resume')
    await list.days(9)
    expect(list.subjects()).toEqual(['News'])
  })

  test('goes out after a clock that was 40 days ahead for a moment', async () => {
    const list = await seriesList()
    await list.send({ ...news, afterDays: 50 })
    list.at(40 * dayMs)
    await list.sendMailings()
    list.at(0)
    await repairClocks(list.database, mailingClockRepairs, list.now)
    await list.sendMailings()
    await list.days(51)
    expect(list.subjects()).toEqual(['News'])
  })

  test('waits a day after another mail of the site', async () => {
    const list = await seriesList()
    await list.send({ subject: 'Second', words: 'Hello', afterDays: 1 })
    list.at(dayMs)
    await list.send({ subject: 'First', words: 'Hello' })
    await list.deliver() // both may be tried at the same moment
    list.at(dayMs + 60_000)
    await list.deliver()
    expect(list.subjects()).toEqual(['First'])
    list.at(2 * dayMs + 60_000)
    await list.deliver()
    expect(list.subjects()).toEqual(['First', 'Second'])
  })

  test('is not sent to somebody who turned news off, and is to one who agrees again', async () => {
    const list = await seriesList()
    await list.send({ ...news, afterDays: 2 })
    list.at(dayMs)
    await list.turn('ada@example.com', 'off')
    await list.days(3)
    expect(list.subjects()).toEqual([])
    await list.turn('ada@example.com', 'on')
    await list.days(6)
    expect(list.subjects()).toEqual(['News'])
  })

  test('says how many people would miss it with another day', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 10 })
    list.at(4 * dayMs)
    const letter = await rowOf(list, id)
    expect(await countMissing(list.database, letter, 3, list.now())).toBe(1)
    expect(await countMissing(list.database, letter, 5, list.now())).toBe(0)
  })

  test('changes only with a fresh proof while it is on', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 1 })
    await expect(save(list, id, { words: 'Other' })).rejects.toThrow('Confirm that it is you')
    expect(await save(list, id, { words: 'Other' }, { isProved: true })).toMatchObject({
      kind: 'saved',
    })
  })

  test('is saved while it is on, and switched on again, only with words that can be sent', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 1 })
    const half = { words: 'See [this](https://' }
    const broken = { words: 'See [this](https://)' }
    for (const changes of [{ subject: '' }, broken]) {
      await expect(save(list, id, changes, { isProved: true })).rejects.toThrow()
    }
    expect(await save(list, id, half, { isProved: true })).toMatchObject({ kind: 'saved' })
    await act(list, id, 'pause')
    await save(list, id, broken)
    await expect(act(list, id, 'resume')).rejects.toThrow('The link “this”')
    expect(await rowOf(list, id)).toMatchObject({ state: 'paused', ...broken })
  })

  test('that is typed while it is on waits until it has rested for a minute', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 1 })
    list.at(dayMs)
    await save(list, id, { words: 'Half a sen' }, { isProved: true })
    list.at(dayMs + 59_999)
    expect(await list.deliver()).toBe(0)
    list.at(dayMs + 60_000)
    expect(await list.deliver()).toBe(1)
  })

  test('comes with the product, switched off, and only once', async () => {
    const list = await listOf({})
    await addSeries(list.database, list.now())
    await change(list, sql`delete from mailings where after_days = 1`)
    await addSeries(list.database, list.now())
    const rows = await list.database.rows(sql`select state, after_days from mailings order by id`)
    expect(rows).toEqual([
      { state: 'draft', after_days: 4 },
      { state: 'draft', after_days: 10 },
    ])
  })
})
